import Lua

/// Missing globals, and missing fields of the host's tables.
struct NameRules {
  private let script: ScriptText
  private let names: NameTree
  /// Paths that the script tests or sets itself: not reported.
  private let excused: Set<[String]>
  /// Tables passed elsewhere, where fields may be added.
  private let escaped: Set<[String]>

  init(_ script: ScriptText, names: NameTree) {
    self.script = script
    self.names = names
    var excused: Set<[String]> = []
    var reads: [[String]: Int] = [:]
    for use in script.walk.uses {
      guard let path = script.path(of: use) else { continue }
      switch use.purpose {
      case .tested: excused.insert(path)
      case .written where path.count > 1: excused.insert(path)
      case .read: reads[path, default: 0] += 1
      case .written, .called, .indexed, .operated: break
      }
    }
    // Another name for a table takes it nowhere.
    for local in script.walk.locals where script.isConstant(local) {
      guard let chain = local.value?.chain, let path = script.path(chain) else { continue }
      reads[path, default: 0] -= 1
      if script.uses(of: local).contains(where: { $0.fields.isEmpty && $0.purpose == .tested }) {
        excused.insert(path)
      }
    }
    self.excused = excused
    escaped = Set(reads.filter { $0.value > 0 }.keys)
  }

  var findings: [ScriptFinding] {
    guard !script.hasOwnGlobals, !escaped.contains(["_G"]) else { return [] }
    return script.walk.uses.compactMap { use in
      let isGlobal = use.purpose == .written && use.fields.isEmpty
      return isGlobal ? written(use) : unknown(use)
    }
  }

  /// Assigning a global, which scripts don't have.
  private func written(_ use: ChainUse) -> ScriptFinding? {
    guard use.root.local == nil else { return nil }
    let name = use.root.name
    let nearest = NearestName.of(name, in: use.root.visible).map { " (did you mean '\($0)'?)" } ?? ""
    let isFunction = use.root.token > 0 && script.tokens[use.root.token - 1].text == "function"
    return script.finding(
      use.isGuarded ? .warning : .error, .globalWrite, at: use.root.token,
      "'\(name)' is not declared\(nearest): write local \(isFunction ? "function " : "")\(name) "
        + "(scripts share nothing through globals)")
  }

  /// The first missing name of a path.
  private func unknown(_ use: ChainUse) -> ScriptFinding? {
    guard let path = script.path(of: use) else { return nil }
    let read = use.purpose == .written ? path.dropLast() : path[...]
    guard let missing = read.indices.first(where: { names[path[...$0]] == nil }) else { return nil }
    // A local alias is judged where it is declared.
    let ofRoot = path.count - use.fields.count
    if missing < ofRoot, use.root.local != nil { return nil }
    let known = Array(path[...missing])
    guard let table = names[known.dropLast()], let fields = table.fields, !excused.contains(known) else {
      return nil
    }
    if known.indices.dropFirst().contains(where: { escaped.contains(Array(known[..<$0])) }) { return nil }
    // Scripts written for other versions of Lua may test for fields of its libraries.
    let isValue = missing == path.count - 1 && use.purpose == .read
    let isFatal = !isValue || known.count == 1 || known[0] == "lookahead" || table.isStrict
    let token = missing < ofRoot ? use.root.token : use.fields[missing - ofRoot].token
    let severity: ScriptFinding.Severity = isFatal && !use.isGuarded ? .error : .warning
    return known.count == 1
      ? unknownGlobal(severity, known[0], token, visible: use.root.visible)
      : script.finding(
        severity, .unknownField, at: token,
        "\(known.dropLast().joined(separator: ".")) has no '\(known[missing])'"
          + (Self.advice(for: known).map { " (\($0))" } ?? NearestName.hint(known[missing], in: fields.keys)))
  }

  private func unknownGlobal(
    _ severity: ScriptFinding.Severity, _ name: String, _ token: Int, visible: [String]
  ) -> ScriptFinding {
    let known = visible + (names.fields ?? [:]).keys
    let nearest = NearestName.of(name, in: known).map { "did you mean '\($0)'?" }
    let advice = Self.advice(for: [name]) ?? nearest ?? "declare it with local before this line"
    return script.finding(
      severity, .unknownGlobal, at: token,
      "'\(name)' is nil: no local and no global is called that (\(advice))")
  }

  /// The replacement for something that scripts lack.
  private static func advice(for path: [String]) -> String? {
    let name = path.joined(separator: ".")
    let advice = ScriptGlobals.missing.first { $0.name == name }?.advice ?? older[name]
    return advice.flatMap { $0.isEmpty ? "scripts do not have it" : $0 }
  }

  /// Names from older versions of Lua.
  private static let older = [
    "unpack": "it is `table.unpack`", "loadstring": "it is `load`", "setfenv": "Lua 5.4 has `_ENV`",
    "getfenv": "Lua 5.4 has `_ENV`", "table.getn": "the length of a list is `#list`",
    "math.pow": "powers are written `a ^ b`", "string.gfind": "it is `string.gmatch`",
  ]
}
