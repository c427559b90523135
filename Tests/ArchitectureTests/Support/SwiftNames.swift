/// The names that a Swift file declares for others, and those it uses.
struct SwiftNames {
  /// A type, or a function or value outside of types, with the types around it: `["Feed", "State"]`.
  struct Declaration {
    let path: [String]
    /// Whether no other file can use it.
    let isPrivate: Bool
    /// Whether it is a function, which is used by calling it.
    var isFunction = false
  }

  /// A name that stands by itself or begins a chain: `Feed.State` inside of `Pager`.
  struct Use {
    let chain: [String]
    /// The types around it, outermost first.
    let around: [String]
    let line: Int
    /// Whether a parenthesis follows.
    var isCall = false
  }

  /// A name that the body of an extension uses as its own.
  struct OwnUse {
    let type: [String]
    let name: String
    let line: Int
  }

  let file: String
  private(set) var declarations: [Declaration] = []
  private(set) var uses: [Use] = []
  private(set) var ownUses: [OwnUse] = []
  /// The stored properties that other files of the target can change, by their types.
  private(set) var state: [[String]: Set<String>] = [:]
  /// What the file calls its own parameters, locals and members; outside names that are written the same are not looked for.
  private(set) var locals: Set<String> = []

  /// A block in braces, with the types around what is in it.
  private struct Scope {
    let path: [String]
    let isType: Bool
    let isExtension: Bool
    let isPublic: Bool
  }

  private var scopes: [Scope] = []
  private var opening: Scope?
  private let tokens: [SwiftTokens.Token]
  /// The other targets: what their names qualify is theirs.
  private let others: Set<String>
  private let module: String

  init(file: String, text: String, module: String, modules: Set<String>) {
    self.file = file
    self.module = module
    others = modules.subtracting([module])
    tokens = SwiftTokens(text).tokens
    findLocals()
    var place = 0
    while place < tokens.count { place = read(place) }
  }

  private var path: [String] { scopes.last?.path ?? [] }

  private func text(_ place: Int) -> String { tokens.indices.contains(place) ? tokens[place].text : "" }

  private mutating func findLocals() {
    for place in tokens.indices where tokens[place].isWord {
      let before = text(place - 1)
      let isLabelled = text(place + 1) == ":" && text(place + 2) != ":" && before != "?" && before != "case"
      if isLabelled || ["let", "var", "func", "for", "in"].contains(before) && text(place + 1) != "(" {
        locals.insert(tokens[place].text)
      }
      if before == "<", ["func", "struct", "class", "enum", "actor", "typealias"].contains(text(place - 3)) {
        locals.insert(tokens[place].text)
      }
    }
  }

  /// Reads what begins at a place; the next place to read from.
  private mutating func read(_ place: Int) -> Int {
    let token = tokens[place]
    if token.text == "{" {
      scopes.append(opening ?? Scope(path: path, isType: false, isExtension: isInExtension, isPublic: false))
      opening = nil
      return place + 1
    }
    if token.text == "}" {
      if !scopes.isEmpty { scopes.removeLast() }
      return place + 1
    }
    guard token.isWord, text(place - 1) != "." else { return place + 1 }
    switch token.text {
    case "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype":
      return readType(place)
    case "extension" where scopes.isEmpty: return readExtension(place)
    case "func", "let", "var": return readMember(place)
    case "import": return place + (Self.kinds.contains(text(place + 1)) ? 3 : 2)
    default: return Self.keywords.contains(token.text) ? place + 1 : readUse(place)
    }
  }

  private var isInExtension: Bool { scopes.last?.isExtension == true }

  private mutating func readType(_ place: Int) -> Int {
    let kind = tokens[place].text
    let name = text(place + 1)
    guard place + 1 < tokens.count, tokens[place + 1].isWord, !Self.keywords.contains(name) else {
      return place + 1
    }
    let modifiers = self.modifiers(before: place)
    let isLocal = scopes.contains { !$0.isType }
    declarations.append(
      Declaration(path: path + [name], isPrivate: isLocal || modifiers.contains("private") && scopes.isEmpty))
    if kind != "typealias" && kind != "associatedtype" {
      opening = Scope(
        path: path + [name], isType: true, isExtension: isInExtension,
        isPublic: modifiers.contains("public"))
    }
    return place + 2
  }

  private mutating func readExtension(_ place: Int) -> Int {
    let (chain, end) = chain(from: place + 1)
    if !isForeign(place + 1) { uses.append(Use(chain: chain, around: [], line: tokens[place].line)) }
    opening = Scope(path: chain, isType: true, isExtension: true, isPublic: false)
    return end
  }

  private mutating func readMember(_ place: Int) -> Int {
    let name = text(place + 1)
    let modifiers = self.modifiers(before: place)
    guard let scope = scopes.last else {
      declarations.append(
        Declaration(
          path: [name], isPrivate: modifiers.contains("private"), isFunction: tokens[place].text == "func"))
      return place + 2
    }
    let isState = tokens[place].text != "func" && scope.isType && !scope.isExtension
    if isState, !modifiers.contains("static"), !modifiers.contains("private"), isStored(place),
      isReachable(place, modifiers, isPublic: scope.isPublic)
    {
      state[scope.path, default: []].insert(name)
    }
    return text(place + 1) == "(" ? place + 1 : place + 2
  }

  /// Whether other files of the target can do more with a property than the whole world can.
  private func isReachable(_ place: Int, _ modifiers: Set<String>, isPublic: Bool) -> Bool {
    if modifiers.contains("private(set)") { return isPublic && !modifiers.contains("public") }
    if modifiers.contains("public") { return modifiers.contains("internal(set)") }
    return isPublic || tokens[place].text == "var"
  }

  /// A property with a value, or with a block that only observes, or with neither.
  private func isStored(_ place: Int) -> Bool {
    if tokens[place].text == "let" { return true }
    for index in (place + 2)..<max(place + 2, tokens.count) {
      switch tokens[index].text {
      case "=": return true
      case "{": return ["didSet", "willSet"].contains(text(index + 1))
      case "}", "let", "var", "func", "init", "static", "public", "private", "struct", "enum", "case", "@":
        return true
      default: continue
      }
    }
    return true
  }

  /// The words before a declaration: `public`, `static`, `private(set)`.
  private func modifiers(before place: Int) -> Set<String> {
    var found: Set<String> = []
    var index = place - 1
    while index >= 0 {
      if tokens[index].text == ")", text(index - 2) == "(", Self.modifiers.contains(text(index - 3)) {
        found.insert("\(text(index - 3))(\(text(index - 1)))")
        index -= 4
      } else if Self.modifiers.contains(tokens[index].text) {
        found.insert(tokens[index].text)
        index -= 1
      } else {
        break
      }
    }
    return found
  }

  private mutating func readUse(_ place: Int) -> Int {
    let token = tokens[place]
    if let type = scopes.first(where: \.isExtension)?.path {
      if token.text == "self", text(place + 1) == ".", text(place + 2) != "" {
        ownUses.append(OwnUse(type: type, name: text(place + 2), line: token.line))
        return place + 3
      }
      if !locals.contains(token.text), text(place + 1) != ":" {
        ownUses.append(OwnUse(type: type, name: token.text, line: token.line))
      }
    }
    let (chain, end) = chain(from: place)
    guard let first = chain.first?.first else { return place + 1 }
    let isLabel = !first.isUppercase && text(place + 1) == ":"
    let isCase = text(place - 1) == "case" && scopes.last?.isType == true
    if !isLabel, !isCase, !isForeign(place), !locals.contains(chain[0]) {
      uses.append(Use(chain: chain, around: path, line: token.line, isCall: text(end) == "("))
    }
    return end
  }

  private func isForeign(_ place: Int) -> Bool { others.contains(text(place)) && text(place + 1) == "." }

  /// Names with dots between, from a place on, and the place behind them; a module's name before them is left out, and what follows a
  /// name in small letters is a member and no type.
  private func chain(from place: Int) -> ([String], Int) {
    var place = place
    if isForeign(place) || text(place) == module && text(place + 1) == "." { place += 2 }
    var names = [text(place)]
    place += 1
    guard names[0].first?.isUppercase == true else { return (names, place) }
    while text(place) == ".", text(place + 1).first?.isUppercase == true {
      names.append(text(place + 1))
      place += 2
    }
    return (names, place)
  }

  private static let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
  private static let modifiers: Set = [
    "public", "private", "internal", "package", "static", "final", "indirect", "mutating", "nonmutating",
    "lazy", "weak", "unowned", "override", "nonisolated", "isolated", "consuming", "borrowing", "fileprivate",
  ]
  private static let keywords: Set = modifiers.union([
    "init", "deinit", "subscript", "if", "else", "guard", "switch", "case", "default", "for", "in", "while",
    "repeat", "return", "throw", "throws", "try", "catch", "do", "break", "continue", "where", "is", "as",
    "any", "some", "inout", "nil", "true", "false", "Self", "super", "defer", "await", "async", "operator",
    "get", "set", "willSet", "didSet", "rethrows", "unsafe", "let", "var", "func", "struct", "class", "enum",
  ])
}
