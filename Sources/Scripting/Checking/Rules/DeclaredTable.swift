import Lua

/// A declaration by table: a source or a policy. Keys may also be set later.
struct DeclaredTable {
  /// A key with its value and position.
  struct Key {
    let token: Int
    let value: Expression
  }

  let call: CallUse
  /// The local that holds it; nil if there is none or it is reassigned.
  let local: LocalName?
  /// Keys by name: those in the constructor, and those set later through the local.
  let keys: [String: Key]
  /// Keys in the constructor.
  let written: Set<String>
  /// Whether it is returned as it is declared, with nothing but named keys.
  let isReturned: Bool
  /// Whether keys may be set in code that the analysis can't see.
  let isOpen: Bool

  /// Every call of the function at `path` with a table constructor.
  static func all(of path: [String], in script: ScriptText) -> [DeclaredTable] {
    script.walk.calls.compactMap { call in
      guard script.path(of: call.callee) == path else { return nil }
      return DeclaredTable(call, in: script)
    }
  }

  private init?(_ call: CallUse, in script: ScriptText) {
    guard let entries = call.arguments.first?.entries else { return nil }
    self.call = call
    isReturned =
      script.walk.returnedCalls.contains(call.token) && entries.allSatisfy { $0.name != nil }
    local = script.walk.locals.first { local in
      guard case .call? = local.value?.bare.kind else { return false }
      return local.value?.bare.token == call.token && script.isConstant(local)
    }
    var keys: [String: Key] = [:]
    for entry in entries {
      if let name = entry.name { keys[name] = Key(token: entry.token, value: entry.value) }
    }
    written = Set(keys.keys)
    let uses = local.map { script.uses(of: $0) } ?? []
    for (target, value) in script.walk.assignments {
      guard let local, target.root.local === local, target.fields.count == 1 else { continue }
      let unknown = Expression(token: target.fields[0].token, kind: .varargs)
      keys[target.fields[0].name] = Key(token: target.fields[0].token, value: value ?? unknown)
    }
    self.keys = keys
    // A function it is passed to may set keys; so may code that reaches an unnamed table.
    isOpen =
      local == nil || entries.contains { $0.name == nil }
      || uses.contains { $0.fields.isEmpty && $0.purpose != .tested && !script.isReturned($0) }
  }

  /// The literal text under a key; `fallback` if there is no such key.
  func text(_ key: String, _ fallback: String, in script: ScriptText) -> String? {
    guard let value = keys[key]?.value else { return fallback }
    if case .string(let text) = script.value(of: value).kind { return text }
    return nil
  }

  /// The function under a key; nil if it is not written in this script.
  func function(_ key: String, in script: ScriptText) -> FunctionBody? {
    keys[key].flatMap { script.value(of: $0.value).function }
  }
}

extension ScriptText {
  /// Whether the use is returned, alone or in a list.
  func isReturned(_ use: ChainUse) -> Bool {
    var token = use.root.token - 1
    while token >= 0, tokens[token].text == "{" || tokens[token].text == "," || tokens[token].kind == .name {
      token -= 1
    }
    return token >= 0 && tokens[token].kind == .keyword && tokens[token].text == "return"
  }
}
