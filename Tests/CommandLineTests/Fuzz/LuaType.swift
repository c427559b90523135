import Scripting

/// A type of the API description, read from the notation of LuaCATS.
indirect enum LuaType {
  /// A text as it stands, with its quotes.
  case literal(String)
  /// `string`, `integer`, `any` and whatever else is no class.
  case plain(String)
  case list(LuaType)
  case table(LuaType)
  case function([String], LuaType?)
  case choice([LuaType])
  /// A table that scripts write.
  case keys(APIClass)
  /// What the host makes.
  case object(APIClass)

  init(_ text: String) {
    let parts = Self.choices(text)
    self = parts.count == 1 ? Self.single(parts[0]) : .choice(parts.map(Self.single))
  }

  /// The parts between bars outside all brackets; a function's result takes all bars behind it.
  private static func choices(_ text: String) -> [String] {
    var parts = text.split(outside: "|")
    if let first = parts.firstIndex(where: { $0.hasPrefix("fun(") || $0.hasPrefix("async fun(") }) {
      parts[first...] = [parts[first...].joined(separator: "|")]
    }
    return parts
  }

  private static func single(_ text: String) -> LuaType {
    if text.hasPrefix("\"") { return .literal(text) }
    if text.hasPrefix("async ") { return single(String(text.dropFirst("async ".count))) }
    if text.hasPrefix("fun(") { return function(text.dropFirst("fun".count)) }
    if text.hasSuffix("?") { return single(String(text.dropLast())) }
    if text.hasSuffix("[]") { return .list(LuaType(String(text.dropLast(2)))) }
    if text.hasPrefix("("), text.hasSuffix(")") { return LuaType(String(text.dropFirst().dropLast())) }
    if text.hasPrefix("table<") {
      return .table(LuaType(text.dropFirst("table<".count).dropLast().split(outside: ",").last ?? "any"))
    }
    if let alias = APIDescription.aliases.first(where: { $0.name == text }) {
      return alias.name == "ItemPath" ? .plain(alias.name) : LuaType(alias.type)
    }
    guard let type = APIDescription.type(named: text) else { return .plain(text) }
    return type.role == .keys ? .keys(type) : .object(type)
  }

  /// A function from its first bracket on.
  private static func function(_ text: Substring) -> LuaType {
    var depth = 0
    for index in text.indices {
      depth += text[index] == "(" ? 1 : text[index] == ")" ? -1 : 0
      guard depth == 0 else { continue }
      let names = text[..<index].dropFirst().split(outside: ",").map { parameter in
        let name = parameter.prefix { $0.isLetter || $0 == "." }
        return String(name)
      }
      let result = text[text.index(after: index)...].drop { $0 == ":" || $0 == " " }
      return .function(names, result.isEmpty ? nil : LuaType(String(result)))
    }
    return .plain("function")
  }
}

extension StringProtocol {
  /// The parts between marks that stand outside all brackets and quotes, without blanks at their ends.
  func split(outside mark: Character) -> [String] {
    var parts = [""]
    var depth = 0
    for character in self {
      if "([{<".contains(character) { depth += 1 }
      if ")]}>".contains(character) { depth -= 1 }
      if character == mark, depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
}
