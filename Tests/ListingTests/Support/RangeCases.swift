import Listing
import Paging
import Testing

/// One case of a suite, as inputs and expectations of its own shape.
struct SuiteCase<Inputs: Decodable & Sendable, Expected: Decodable & Sendable>: Decodable, Sendable,
  CustomTestStringConvertible
{
  let `case`: String
  let inputs: Inputs
  let expected: Expected
  var testDescription: String { `case` }
}

/// A rectangle as the cases write it.
struct CaseRect: Decodable, Sendable {
  let x: Double
  let y: Double
  let w: Double
  let h: Double

  var rect: Rect { Rect(x: x, y: y, width: w, height: h) }
}

/// The mode of a name that the cases use; nil when there is none yet.
func rangeMode(_ name: String) -> RangeMode? {
  switch name {
  case "minimum": .minimum
  case "full": .full
  case "visible_only": .visibleOnly
  case "low_memory": .lowMemory
  default: nil
  }
}

/// The directions of names that the cases use.
func scrollDirections(_ names: [String]) -> ScrollDirections {
  var result: ScrollDirections = []
  for name in names {
    switch name {
    case "right": result.insert(.right)
    case "left": result.insert(.left)
    case "up": result.insert(.up)
    case "down": result.insert(.down)
    case "vertical": result.formUnion(.vertical)
    case "horizontal": result.formUnion(.horizontal)
    case "both": result.formUnion([.vertical, .horizontal])
    default: break
    }
  }
  return result
}

/// A callback's name in Swift for the one that the cases use.
func callbackName(_ name: String) -> String {
  let words = name.split(separator: "_")
  return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}
