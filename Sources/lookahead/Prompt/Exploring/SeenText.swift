import Paging
import Simulation

/// The visible places, and how many are empty, such as `86–95 (10 of 10 are not there yet)`.
struct SeenText {
  let places: Range<Int>
  /// Places of the items that are held.
  let held: Range<Int>
  /// Nothing comes behind the last of them.
  let isAtEnd: Bool

  /// From the first place to the last, which may lie before it where nothing is seen.
  init(_ first: Int, _ last: Int, held: Range<Int>, isAtEnd: Bool) {
    places = first..<max(first, last + 1)
    self.held = held
    self.isAtEnd = isAtEnd
  }

  /// What is seen now, in places of the source.
  init(_ exploration: Exploration) {
    let list = exploration.list
    let viewport = exploration.viewport
    self.init(viewport.firstVisible, viewport.lastVisible, held: list.held, isAtEnd: list.isAtEnd)
  }

  var text: String { range + (missing.map { " (\($0))" } ?? "") }

  /// From 1.
  var range: String { Self.range(places) }

  /// A sentence about missing items; nil if there are none.
  var missing: String? {
    let count = places.count - there.count
    guard count > 0 else { return nil }
    let isBehindEnd = isAtEnd && places.upperBound > held.upperBound
    return "\(count) of \(places.count) are not there" + (isBehindEnd ? ": the list ends before" : " yet")
  }

  /// The places of them that hold an item.
  var there: Range<Int> { places.clamped(to: held) }

  /// Places from 1; `none` without any.
  static func range(_ places: Range<Int>) -> String {
    places.isEmpty ? "none" : "\(places.lowerBound + 1)–\(places.upperBound)"
  }
}
