import Lua
import Paging

/// The fields of a table on a stack, by name: here a script's numbers become the host's.
///
/// Counts are range-checked and durations clamped, or an error names the field, so nothing needs checking later. A
/// missing field is nil.
struct DefinitionFields {
  let stack: LuaStack
  let table: Int

  func text(_ name: String) -> String? { stack.field(name, of: table) { $0.string(at: $1) } }
  /// The raw number, possibly infinite or NaN: never to be converted to an integer.
  func number(_ name: String) -> Double? { stack.field(name, of: table) { $0.number(at: $1) } }
  func boolean(_ name: String) -> Bool? { stack.field(name, of: table) { $0.boolean(at: $1) } }
  func isAbsent(_ name: String) -> Bool { stack.field(name, of: table) { $0.isNil(at: $1) } }

  /// Seconds, clamped to zero and the longest time.
  func duration(_ name: String) -> Duration? { number(name).map(Duration.init(limitedSeconds:)) }

  func count(
    _ name: String, in range: ClosedRange<Int> = 0...Limits.count
  ) throws(InvalidConfiguration) -> Int? {
    stack.pushField(name, of: table)
    defer { stack.pop() }
    return try stack.count(at: -1, name, in: range)
  }

  /// A count clamped at both ends; nil if it is not an integer.
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

  /// Pops a nested table off the stack.
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
  /// The numbers of a list, possibly infinite or NaN.
  var numbers: [Double] { elements { $0.number(at: -1) } }

  /// The strings of a list.
  var texts: [String] { elements { $0.string(at: -1) } }

  /// The positions of a list, from 0, as passed by the prelude.
  func positions(_ option: String) throws(InvalidConfiguration) -> [Int] {
    var positions: [Int] = []
    for element in stride(from: 1, through: stack.length(of: table), by: 1) {
      stack.pushElement(element, of: table)
      defer { stack.pop() }
      if let position = try stack.count(at: -1, option) { positions.append(position) }
    }
    return positions
  }

  /// The numbers of a table by name.
  var namedNumbers: [String: Double] {
    var numbers: [String: Double] = [:]
    stack.forEachPair(of: table) { stack in
      // Only string keys are read: reading would convert a number to a string.
      if stack.isString(at: -2), let name = stack.string(at: -2) { numbers[name] = stack.number(at: -1) }
    }
    return numbers
  }

  /// The strings of a nested table by name.
  func namedTexts(_ name: String) -> [String: String] {
    guard let nested = table(name) else { return [:] }
    defer { nested.close() }
    var texts: [String: String] = [:]
    stack.forEachPair(of: nested.table) { stack in
      if stack.isString(at: -2), let name = stack.string(at: -2) { texts[name] = stack.string(at: -1) }
    }
    return texts
  }

  private func elements<Element>(_ read: (LuaStack) -> Element?) -> [Element] {
    stride(from: 1, through: stack.length(of: table), by: 1).compactMap { position in
      stack.pushElement(position, of: table)
      defer { stack.pop() }
      return read(stack)
    }
  }
}
