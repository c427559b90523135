import Lua
import Paging

/// Where a script's integers become the host's: no other code makes an `Int` that is computed with.
extension LuaStack {
  /// The integer at `index`, nil for nothing. Anything but an integer in range is an error in `option`, the scripts'
  /// name for it.
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

  /// The position at `index`, from 0, of a list with positions from 1 in scripts; nil if no list can have it.
  func position(at index: Int) -> Int? {
    guard let integer = integer(at: index), 1...Int64(Limits.total) ~= integer else { return nil }
    return Int(integer) - 1
  }

  /// The handle of a host object kept by the prelude; 0, which is never used, for anything else.
  func handle(at index: Int) -> Int { integer(at: index).map { Int(truncatingIfNeeded: $0) } ?? 0 }

  /// A value as shown in messages: strings in quotes, numbers as they are, other values by type.
  func shown(at index: Int) -> String {
    if let text = string(at: index) {
      return "\"\(text.count > 40 ? text.prefix(40) + "…" : text[...])\""
    }
    if isNil(at: index) { return "nothing" }
    // Lua shows the sign of NaN, which means nothing.
    if number(at: index)?.isNaN == true { return "nan" }
    return number(at: index) != nil || boolean(at: index) != nil ? describe(at: index) : typeName(at: index)
  }
}

extension InvalidConfiguration {
  /// The error in words, for the script's author.
  var text: String { "\(option): expected \(expected), got \(value)" }
}
