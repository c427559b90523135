import Scripting

/// Writes values that calls accept, and others in chosen places among them.
///
/// A place is a path: `1` is the first argument, `1.backoff.base` a key in it, `[]` an element of a list, `()` what a function
/// returns, and `|2` the third of several types.
struct ArgumentWriter {
  /// Lua expressions by the places where they stand instead of what is accepted.
  var placed: [String: String] = [:]

  /// The arguments of a call.
  func arguments(_ parameters: [APIParameter], of call: String) -> [String] {
    let last = parameters.indices.last { index in
      !parameters[index].isOptional || isUsed("\(index + 1)")
    }
    return parameters[..<(last.map { $0 + 1 } ?? 0)].enumerated().map { index, parameter in
      value(LuaType(parameter.type), PlausibleValues.name(parameter.name, of: call), "\(index + 1)")
    }
  }

  /// A value of a type as a Lua expression.
  func value(_ type: LuaType, _ name: String, _ place: String) -> String {
    if let expression = placed[place] { return expression }
    switch type {
    case .literal(let text): return text
    case .plain(let word): return PlausibleValues.expression(word, name)
    case .list(let element): return "{ \(value(element, name, place + ".[]")) }"
    case .table(let element): return "{ a = \(value(element, name, place + ".*")) }"
    case .function(let names, let result):
      let returned = result.map { " return \(value($0, name, place + ".()"))" } ?? ""
      return "function(\(names.joined(separator: ", ")))\(returned) end"
    case .choice(let types):
      let chosen = types.indices.first { isUsed("\(place).|\($0)") } ?? 0
      return value(types[chosen], name, "\(place).|\(chosen)")
    case .keys(let type): return table(type, place)
    case .object(let type): return "kept(\"\(type.name)\")"
    }
  }

  /// A table with the keys that it needs, and those in which something is placed.
  private func table(_ type: APIClass, _ place: String) -> String {
    let needed = PlausibleValues.neededKeys[type.name] ?? []
    let fields = type.fields.filter { field in
      !field.isOptional || needed.contains(field.name) || isUsed("\(place).\(field.name)")
    }
    let entries = fields.map { field in
      "\(field.name) = \(value(LuaType(field.type), PlausibleValues.name(field.name, of: type.word), "\(place).\(field.name)"))"
    }
    return entries.isEmpty ? "{}" : "{ \(entries.joined(separator: ", ")) }"
  }

  private func isUsed(_ place: String) -> Bool {
    placed.keys.contains { $0 == place || $0.hasPrefix(place + ".") }
  }
}

extension ArgumentWriter {
  /// All places in the arguments of a call, down to keys of keys of keys.
  static func places(_ parameters: [APIParameter]) -> [String] {
    parameters.enumerated().flatMap { index, parameter in
      places(LuaType(parameter.type), "\(index + 1)", depth: 0)
    }
  }

  private static func places(_ type: LuaType, _ place: String, depth: Int) -> [String] {
    guard depth < 5 else { return [place] }
    func inner(_ type: LuaType, _ name: String) -> [String] {
      places(type, "\(place).\(name)", depth: depth + 1)
    }
    switch type {
    case .literal, .plain, .object, .function(_, nil): return [place]
    case .list(let element): return [place] + inner(element, "[]")
    case .table(let element): return [place] + inner(element, "*")
    case .function(_, .some(let result)): return [place] + inner(result, "()")
    case .choice(let types):
      // A place for the whole, and those inside each type; the types themselves are the same place.
      return [place]
        + types.indices.flatMap { inner(types[$0], "|\($0)").dropFirst() }
    case .keys(let type): return [place] + type.fields.flatMap { inner(LuaType($0.type), $0.name) }
    }
  }

  /// The places of a call that take an object of a class.
  static func places(of type: APIClass, _ parameters: [APIParameter]) -> [String] {
    parameters.enumerated().flatMap { index, parameter in
      places(of: type, LuaType(parameter.type), "\(index + 1)", depth: 0)
    }
  }

  private static func places(of type: APIClass, _ given: LuaType, _ place: String, depth: Int) -> [String] {
    guard depth < 5 else { return [] }
    func inner(_ given: LuaType, _ name: String) -> [String] {
      places(of: type, given, "\(place).\(name)", depth: depth + 1)
    }
    switch given {
    case .literal, .plain, .function(_, nil): return []
    case .object(let found): return found.name == type.name ? [place] : []
    case .list(let element): return inner(element, "[]")
    case .table(let element): return inner(element, "*")
    case .function(_, .some(let result)): return inner(result, "()")
    case .choice(let types): return types.indices.flatMap { inner(types[$0], "|\($0)") }
    case .keys(let keys): return keys.fields.flatMap { inner(LuaType($0.type), $0.name) }
    }
  }
}
