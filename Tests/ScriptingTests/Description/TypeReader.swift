/// Reads a type in the notation of LuaCATS, for tests: names, lists, tables, functions, literals and choices.
struct TypeReader {
  private var rest: Substring

  private init(_ text: String) { rest = Substring(text) }

  /// Whether a text is a type with nothing but words behind it; a name may stand before it.
  static func isRight(_ text: String, isNamed: Bool) -> Bool {
    var reader = TypeReader(text)
    if isNamed, !reader.skipName() { return false }
    guard reader.readType() else { return false }
    return reader.rest.isEmpty || reader.rest.first == " "
  }

  /// The name of a parameter or field, or the type of a key in brackets, and the blank behind it.
  private mutating func skipName() -> Bool {
    guard let end = rest.firstIndex(of: " "), end != rest.startIndex else { return false }
    rest = rest[rest.index(after: end)...]
    return true
  }

  /// A type, to its end; false where there is none.
  private mutating func readType() -> Bool {
    repeat { guard readOne() else { return false } } while take("|")
    return true
  }

  private mutating func readOne() -> Bool {
    if take("(") {
      guard readType(), take(")") else { return false }
    } else if take("\"") {
      guard let end = rest.firstIndex(of: "\"") else { return false }
      rest = rest[rest.index(after: end)...]
    } else if take("async fun(") || take("fun(") {
      guard readParameters() else { return false }
      if take(": "), !readType() { return false }
    } else {
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
      guard !name.isEmpty, !name.hasSuffix(".") else { return false }
      rest = rest.dropFirst(name.count)
      if take("<"), !readArguments() { return false }
    }
    while take("[]") {}
    _ = take("?")
    return true
  }

  private mutating func readParameters() -> Bool {
    guard !take(")") else { return true }
    repeat {
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
      rest = rest.dropFirst(name.count)
      _ = take("?")
      guard !name.isEmpty, take(": "), readType() else { return false }
    } while take(", ")
    return take(")")
  }

  private mutating func readArguments() -> Bool {
    repeat { guard readType() else { return false } } while take(", ")
    return take(">")
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }
}
