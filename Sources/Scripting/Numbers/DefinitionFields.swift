import Lua
import Paging

/// The fields of a table on a stack, read by name: here a script's number becomes one of the host's.
///
/// A count is in its range and a duration within what the machine can add, or there is an error that names the field; so
/// nothing behind has to look again. A field that is absent is nil.
struct DefinitionFields {
  let stack: LuaStack
  let table: Int

  func text(_ name: String) -> String? { stack.field(name, of: table) { $0.string(at: $1) } }
  /// As it is, which may be infinite or no number: never to be made an integer.
  func number(_ name: String) -> Double? { stack.field(name, of: table) { $0.number(at: $1) } }
  func boolean(_ name: String) -> Bool? { stack.field(name, of: table) { $0.boolean(at: $1) } }
  func isAbsent(_ name: String) -> Bool { stack.field(name, of: table) { $0.isNil(at: $1) } }

  /// Seconds; less than nothing is nothing, and what is too long is the longest time.
  func duration(_ name: String) -> Duration? { number(name).map(Duration.init(limitedSeconds:)) }

  func count(
    _ name: String, in range: ClosedRange<Int> = 0...Limits.count
  ) throws(InvalidConfiguration) -> Int? {
    stack.pushField(name, of: table)
    defer { stack.pop() }
    return try stack.count(at: -1, name, in: range)
  }

  /// A count that is cut at both ends; nil for what is no integer.
  func limitedCount(_ name: String) -> Int? {
    stack.field(name, of: table) { stack, index in
      stack.integer(at: index).map { Int(max(0, min($0, Int64(Limits.count)))) }
    }
  }

  func key(_ name: String) -> PageKey? {
    if let number = stack.field(name, of: table, { $0.integer(at: $1) }) { return .integer(number) }
    return text(name).map { .text($0) }
  }

  /// A nested table, left on the stack until `close`.
  func table(_ name: String) -> DefinitionFields? {
    stack.pushField(name, of: table)
    guard stack.isTable(at: -1) else {
      stack.pop()
      return nil
    }
    return DefinitionFields(stack: stack, table: stack.absolute(-1))
  }

  /// Takes a nested table off the stack again.
  func close() { stack.pop() }

  func reference(_ name: String, in state: LuaState) -> LuaReference? {
    stack.pushField(name, of: table)
    guard !stack.isNil(at: -1) else {
      stack.pop()
      return nil
    }
    return stack.popReference(in: state)
  }
}

extension DefinitionFields {
  /// The numbers of a list, which may be infinite or none.
  var numbers: [Double] { elements { $0.number(at: -1) } }

  /// The texts of a list.
  var texts: [String] { elements { $0.string(at: -1) } }

  /// The positions of a list, from 0 as the prelude passes them.
  func positions(_ option: String) throws(InvalidConfiguration) -> [Int] {
    var positions: [Int] = []
    for element in stride(from: 1, through: stack.length(of: table), by: 1) {
      stack.pushElement(element, of: table)
      defer { stack.pop() }
      if let position = try stack.count(at: -1, option) { positions.append(position) }
    }
    return positions
  }

  /// The numbers of a table by their names.
  var namedNumbers: [String: Double] {
    var numbers: [String: Double] = [:]
    stack.forEachPair(of: table) { stack in
      // A key is read only where it is a text: reading would turn a number into one.
      if stack.isString(at: -2), let name = stack.string(at: -2) { numbers[name] = stack.number(at: -1) }
    }
    return numbers
  }

  private func elements<Element>(_ read: (LuaStack) -> Element?) -> [Element] {
    stride(from: 1, through: stack.length(of: table), by: 1).compactMap { position in
      stack.pushElement(position, of: table)
      defer { stack.pop() }
      return read(stack)
    }
  }
}
