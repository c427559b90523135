/// A parameter of a function, or a key of a table: its name and type.
public struct APIParameter: Sendable, Equatable {
  /// `...` for any number of values.
  public let name: String
  /// In LuaCATS notation; a capitalized word is a class of the description.
  public let type: String
  /// Whether it may be omitted.
  public let isOptional: Bool

  /// Parses `name: type` or `name?: type`; a name alone has any type.
  init(_ text: String) {
    let colon = text.firstIndex(of: ":")
    let head = text[..<(colon ?? text.endIndex)].trimmed
    isOptional = head.hasSuffix("?")
    name = isOptional ? String(head.dropLast()) : head
    type = colon.map { text[text.index(after: $0)...].trimmed } ?? "any"
  }

  /// `name: type` or `name?: type`, as written.
  public var text: String { "\(name)\(isOptional ? "?" : ""): \(type)" }
}

/// The parameters and results of a function, written as `name(first: type, second?: type): type, type`.
public struct APISignature: Sendable, Equatable {
  /// Without its module or the object it is a method of.
  public let name: String
  public let parameters: [APIParameter]
  /// The types of the results, in LuaCATS notation; possibly named, as in `yes: boolean`.
  public let results: [APIParameter]

  /// Parses a signature; an invalid one is a mistake in the description.
  init(_ text: String) {
    guard let open = text.firstIndex(of: "("), let close = text.closing(open) else {
      preconditionFailure("'\(text)' is no signature: expected name(parameters): results")
    }
    name = text[..<open].trimmed
    parameters = text[text.index(after: open)..<close].parts(between: ",").map { APIParameter($0) }
    let rest = text[text.index(after: close)...].drop { $0 == ":" || $0 == " " }
    results = rest.parts(between: ",").map { Self.result($0) }
  }

  /// `type`, or `name: type` if there is a colon outside all brackets.
  private static func result(_ text: String) -> APIParameter {
    let parts = text.parts(between: ":")
    let isNamed = parts.count == 2 && parts[0].allSatisfy { $0.isLetter || $0 == "?" }
    return APIParameter(isNamed ? text : ": \(text)")
  }

  /// The parameter names in parentheses: `(url, options?)`.
  public var brackets: String {
    "(" + parameters.map { $0.name + ($0.isOptional ? "?" : "") }.joined(separator: ", ") + ")"
  }

  /// As written: parameters and results with their types.
  public var text: String {
    let given = parameters.map(\.text).joined(separator: ", ")
    let taken = results.map { $0.name.isEmpty ? $0.type : $0.text }.joined(separator: ", ")
    return "\(name)(\(given))" + (taken.isEmpty ? "" : ": \(taken)")
  }
}
