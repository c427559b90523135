import Lua
import Paging

/// Where integers of a script become the host's: nothing else makes an `Int` of one that is computed with.
extension LuaStack {
  /// The integer at `index`, nil for nothing. What is no integer of the range is a mistake in `option`, as scripts call it.
  func count(
    at index: Int, _ option: String, in range: ClosedRange<Int> = 0...Limits.count
  ) throws(InvalidConfiguration) -> Int? {
    if isNil(at: index) { return nil }
    guard let integer = integer(at: index), let count = Int(exactly: integer), range ~= count else {
      throw InvalidConfiguration(
        option: option, value: shown(at: index),
        expected: "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }

  /// The position at `index`, from 0, of a list whose positions scripts count from 1; nil for whatever no list has.
  func position(at index: Int) -> Int? {
    guard let integer = integer(at: index), 1...Int64(Limits.total) ~= integer else { return nil }
    return Int(integer) - 1
  }

  /// The number under which the prelude keeps something of the host's; 0, which nothing has, for anything else.
  func handle(at index: Int) -> Int { integer(at: index).map { Int(truncatingIfNeeded: $0) } ?? 0 }

  /// How a value looks in a message: texts in quotes, numbers as they are, the rest by its type.
  func shown(at index: Int) -> String {
    if let text = string(at: index) {
      return "\"\(text.count > 40 ? text.prefix(40) + "…" : text[...])\""
    }
    if isNil(at: index) { return "nothing" }
    // Lua shows the sign of what is no number, which says nothing.
    if number(at: index)?.isNaN == true { return "nan" }
    return number(at: index) != nil || boolean(at: index) != nil ? describe(at: index) : typeName(at: index)
  }
}

extension InvalidConfiguration {
  /// In words, for a script's author.
  var text: String { "\(option): expected \(expected), got \(value)" }
}
