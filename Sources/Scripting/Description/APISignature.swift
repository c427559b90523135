/// A value that a function takes, or a key of a table: what it is called and what it may be.
public struct APIParameter: Sendable, Equatable {
  /// `...` where any number of values is taken.
  public let name: String
  /// In the notation of LuaCATS; a word that begins with a capital is a class of the description.
  public let type: String
  /// It may be left out.
  public let isOptional: Bool

  /// Reads `name: type` or `name?: type`; a name alone is of any type.
  init(_ text: String) {
    let colon = text.firstIndex(of: ":")
    let head = text[..<(colon ?? text.endIndex)].trimmed
    isOptional = head.hasSuffix("?")
    name = isOptional ? String(head.dropLast()) : head
    type = colon.map { text[text.index(after: $0)...].trimmed } ?? "any"
  }

  /// `name: type` or `name?: type`, as it is written.
  public var text: String { "\(name)\(isOptional ? "?" : ""): \(type)" }
}

/// What a function takes and gives, written as `name(first: type, second?: type): type, type`.
public struct APISignature: Sendable, Equatable {
  /// Without its module, or the object it is a method of.
  public let name: String
  public let parameters: [APIParameter]
  /// The types of the results, in the notation of LuaCATS; a name may stand before a type, as in `yes: boolean`.
  public let results: [APIParameter]

  /// Reads a signature; one that cannot be read is a mistake of the description.
  init(_ text: String) {
    guard let open = text.firstIndex(of: "("), let close = text.closing(open) else {
      preconditionFailure("'\(text)' is no signature: expected name(parameters): results")
    }
    name = text[..<open].trimmed
    parameters = text[text.index(after: open)..<close].parts(between: ",").map { APIParameter($0) }
    let rest = text[text.index(after: close)...].drop { $0 == ":" || $0 == " " }
    results = rest.parts(between: ",").map { Self.result($0) }
  }

  /// `type`, or `name: type` where the colon stands outside all brackets.
  private static func result(_ text: String) -> APIParameter {
    let parts = text.parts(between: ":")
    let isNamed = parts.count == 2 && parts[0].allSatisfy { $0.isLetter || $0 == "?" }
    return APIParameter(isNamed ? text : ": \(text)")
  }

  /// The parameters in brackets, by their names: `(url, options?)`.
  public var brackets: String {
    "(" + parameters.map { $0.name + ($0.isOptional ? "?" : "") }.joined(separator: ", ") + ")"
  }

  /// As it was written: parameters and results with their types.
  public var text: String {
    let given = parameters.map(\.text).joined(separator: ", ")
    let taken = results.map { $0.name.isEmpty ? $0.type : $0.text }.joined(separator: ", ")
    return "\(name)(\(given))" + (taken.isEmpty ? "" : ": \(taken)")
  }
}
