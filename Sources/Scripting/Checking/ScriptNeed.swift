/// Something a script needs a permission for.
public struct ScriptNeed: Sendable, Hashable {
  public let capability: APICapability
  /// The host, path or variable; nil if computed by the script.
  public let name: String?
  /// The first line that needs it.
  public let line: Int
}

extension ScriptNeed {
  /// The needs of the script's calls, without duplicates.
  static func all(in script: ScriptText) -> [ScriptNeed] {
    var seen: Set<String> = []
    return script.walk.calls.compactMap { call in
      guard let path = script.path(of: call.callee), let function = APIFunctions[path],
        let capability = opensForWriting(path, call.arguments, in: script)
          ? .write : opensFile(path, call.arguments, in: script) ? .read : function.capability
      else { return nil }
      let name = call.arguments.first.flatMap { Self.name(capability, $0, in: script) }
      // Files below the script's own directory are granted to every script.
      if capability == .read, let name, !name.hasPrefix("/"), !name.hasPrefix("..") { return nil }
      if capability == .read, name == nil { return nil }
      guard seen.insert("\(capability) \(name ?? "")").inserted else { return nil }
      return ScriptNeed(capability: capability, name: name, line: script.line(call.token))
    }
  }

  /// Whether a call opens a database that it may change: unless that is ruled out, the script asks for it.
  private static func opensForWriting(
    _ path: [String], _ arguments: [Expression], in script: ScriptText
  ) -> Bool {
    guard path == ["lookahead", "sqlite", "open"] || opensFile(path, arguments, in: script),
      arguments.count > 1,
      let option = script.value(of: arguments[1]).entries?.first(where: { $0.name == "readOnly" })
    else { return false }
    if case .constant(let word) = script.value(of: option.value).kind { return word == "false" }
    return true
  }

  /// Whether a call opens a database that needs a driver and is a file.
  private static func opensFile(_ path: [String], _ arguments: [Expression], in script: ScriptText) -> Bool {
    guard path == ["lookahead", "database", "open"], let address = arguments.first else { return false }
    guard case .string(let text) = script.value(of: address).kind else { return false }
    return !text.contains("://") && !text.hasPrefix("adbc:")
  }

  /// The text that an argument is, or begins with.
  private static func name(_ capability: APICapability, _ argument: Expression, in script: ScriptText)
    -> String?
  {
    let value = script.value(of: argument)
    if let entries = value.entries {
      return entries.first { $0.name == "url" }.flatMap { name(capability, $0.value, in: script) }
    }
    if capability == .net { return host(of: value, in: script) }
    if case .string(let text) = value.kind { return text }
    return nil
  }

  /// The host of a URL, if it is complete in the known beginning.
  private static func host(of value: Expression, in script: ScriptText) -> String? {
    let (text, isWhole) = beginning(of: value, in: script)
    guard let scheme = text.firstRange(of: "://") else { return nil }
    let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
    if !isWhole, authority.endIndex == text.endIndex { return nil }
    return authority.split(separator: "@").last.map(String.init)
  }

  /// The literal beginning of a concatenated text, and whether that is all of it.
  private static func beginning(of value: Expression, in script: ScriptText) -> (text: String, isWhole: Bool)
  {
    let value = script.value(of: value)
    switch value.kind {
    case .string(let text): return (text, true)
    case .operation(let operands):
      var text = ""
      for operand in operands {
        let part = beginning(of: operand, in: script)
        text += part.text
        if !part.isWhole { return (text, false) }
      }
      return (text, true)
    default: return ("", false)
    }
  }
}
