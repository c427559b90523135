import Lua
import Scripting

/// A session as a runnable script: the given script, the successful lines, and the sources to read.
///
/// At a prompt a variable belongs to the session, whichever line names it first. In the script it is declared above all lines,
/// unless the line that declares it is also the first to name it. Where there are more than a script can declare, or where a
/// line asks for the table of all variables, they are in a table, as at the prompt.
struct SavedSession {
  /// Lua allows 200 in a function, and needs some for itself.
  private static let mostVariables = 150

  private let lines: [SavedLine]
  private let hasTable: Bool
  private var parts: [String] = []
  private(set) var lineCount = 0
  private var returned: String?
  private var declared: Set<String>
  /// What is declared above all lines.
  private var onTop: [String] = []

  init(_ session: PromptSession) {
    lines = session.journal.entries.filter {
      $0.hasSucceeded == true && ($0.number != nil || PromptCommand.explores($0.text))
    }.map { SavedLine($0, in: session.workflow) }
    let script = session.script.map { ChunkOutline($0.text) }
    declared = Set(script?.locals ?? [])
    hasTable = Self.needsTable(lines, declared)
    // It comes without its return value, which must be last.
    if let script { parts.append(script.withoutReturn) }
    addLines(named: session.script.map { SavedLine.names(in: LuaTokens($0.text).code) } ?? [])
    parts += session.explored?.savedLines ?? []
    returned = session.openedSource() ?? script?.returned ?? sources(session)
  }

  var isEmpty: Bool { parts.isEmpty }

  var text: String {
    let end = returned.map { "\nreturn \($0)\n" } ?? ""
    return "-- A session of lookahead repl.\n" + (head + parts).joined(separator: "\n") + "\n" + end
  }

  /// What stands above all lines.
  private var head: [String] {
    if hasTable {
      return [
        "-- Its variables are in a table, as at the prompt.",
        "local _ENV = setmetatable({}, { __index = _ENV })", "_G = _ENV",
      ]
    }
    // What the library has under that name is there until it is replaced.
    let replaced = onTop.filter(Self.library.contains).map { "local \($0) = \($0)" }
    let new = onTop.filter { !Self.library.contains($0) }
    return replaced
      + stride(from: 0, to: new.count, by: 10).map { first in
        "local " + new[first..<min(first + 10, new.count)].joined(separator: ", ")
      }
  }

  /// Names that have a value without being declared.
  private static let library: Set<String> = [
    "_VERSION", "assert", "collectgarbage", "coroutine", "error", "getmetatable", "ipairs", "load",
    "lookahead", "math", "next", "os", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset",
    "require", "select", "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "xpcall",
  ]

  private static func needsTable(_ lines: [SavedLine], _ declared: Set<String>) -> Bool {
    if lines.contains(where: { !$0.names.isDisjoint(with: ["_G", "_ENV"]) }) { return true }
    var names = declared
    for (index, line) in lines.enumerated() {
      names.formUnion(line.outline.locals + line.outline.assigned)
      if let number = usedNumber(at: index, of: lines) { names.formUnion(["_", "_\(number)"]) }
    }
    return names.count > mostVariables
  }

  /// The sources in the session's own variables.
  private func sources(_ session: PromptSession) -> String? {
    let names = session.workflow.promptSources.map(\.name).filter { declared.contains($0) }
    guard names.count != 1 else { return names[0] }
    return names.isEmpty ? nil : "{ " + names.joined(separator: ", ") + " }"
  }

  /// `named` is what the script names.
  private mutating func addLines(named: Set<String>) {
    var named = named
    for (index, line) in lines.enumerated() {
      let number = Self.usedNumber(at: index, of: lines)
      switch line.kind {
      case .command:
        lineCount += 1
        parts.append("-- " + line.text)
      case .expression: addExpression(line, number)
      case .statements: addStatements(line, number, isInPlace: declaresInPlace(at: index, named: named))
      }
      named.formUnion(line.names)
    }
  }

  /// Whether a line may declare its variables itself: nothing names them before, and constants among them stay what they are.
  private func declaresInPlace(at index: Int, named: Set<String>) -> Bool {
    let line = lines[index]
    let own = line.outline.locals
    guard !hasTable, !line.isEnclosed, !line.outline.returnsEarly else { return false }
    let later = line.hasConstants ? lines[(index + 1)...] : []
    let isReplaced = later.contains { !Set(own).isDisjoint(with: $0.outline.locals + $0.outline.assigned) }
    return !isReplaced && own.allSatisfy { !named.contains($0) && line.declaresFirst($0) }
  }

  private mutating func addStatements(_ line: SavedLine, _ number: Int?, isInPlace: Bool) {
    let outline = line.outline
    declareOnTop(outline.assigned)
    if isInPlace { declared.formUnion(outline.locals) }
    if !line.keepsLocals { declareOnTop(outline.locals) }
    let body = isInPlace || line.keepsLocals ? outline.withoutReturn : outline.withoutLocals
    let returned = outline.returned.flatMap { $0.isEmpty ? nil : $0 }
    // A line that returns early must not end the script.
    if outline.returnsEarly {
      let end = returned.map { "\nreturn \($0)" } ?? ""
      return add(assigned("(function(...)\n\(body)\(end)\nend)()", to: number))
    }
    var texts = body.isEmpty ? [] : [body]
    if let returned {
      if number != nil {
        texts.append(assigned(returned, to: number))
      } else if SavedLine.calls(LuaTokens(returned, isScript: false).code) {
        texts.append(Self.evaluated(returned))
      }
    }
    guard !texts.isEmpty else { return }
    let text = texts.joined(separator: "\n")
    add(line.isEnclosed ? "do\n\(text)\nend" : text)
  }

  private mutating func addExpression(_ line: SavedLine, _ number: Int?) {
    declareOnTop(line.outline.assigned)
    if number != nil || line.isCall {
      add(assigned(line.text, to: number))
    } else if SavedLine.calls(line.code) {
      add(Self.evaluated(line.text))
    }
  }

  /// A part that starts with a bracket would be parsed as arguments of a call at the end of the previous part.
  private mutating func add(_ part: String) {
    lineCount += 1
    parts.append(part.hasPrefix("(") ? ";" + part : part)
  }

  /// Keeps a value as the prompt does, under a number and as `_`; without a number the text itself.
  private mutating func assigned(_ text: String, to number: Int?) -> String {
    guard let number else { return text }
    declareOnTop(["_", "_\(number)"])
    return "_\(number) = \(text)\n_ = _\(number)"
  }

  /// An expression as a statement.
  private static func evaluated(_ text: String) -> String { "do local _ = \(text)\nend" }

  private mutating func declareOnTop(_ names: [String]) {
    for name in names where declared.insert(name).inserted { onTop.append(name) }
  }

  /// The number of a line whose value is used by its number, or as `_` until there is another one; by a function whenever it
  /// is called.
  private static func usedNumber(at index: Int, of lines: [SavedLine]) -> Int? {
    guard let number = lines[index].valueNumber else { return nil }
    let own = "_\(number)"
    let later = lines[(index + 1)...]
    let next = later.firstIndex { $0.valueNumber != nil } ?? lines.count - 1
    let isUsed =
      later.contains { $0.names.contains(own) }
      || later.prefix(through: next).contains { $0.names.contains("_") }
      || lines[...index].contains { $0.hasFunction && !$0.names.isDisjoint(with: ["_", own]) }
    return isUsed ? number : nil
  }
}

/// A line of a session, as far as it matters to a script.
private struct SavedLine {
  enum Kind {
    case command, expression, statements
  }

  let kind: Kind
  /// Of an expression without what marks it as one, or hides it.
  let text: String
  let outline: ChunkOutline
  let code: [LuaToken]
  let names: Set<String>
  /// The number under which its value is kept; nil if it has none.
  let valueNumber: Int?
  /// Whether an expression is also a statement.
  let isCall: Bool

  init(_ entry: PromptJournal.Entry, in workflow: Workflow) {
    let kind: Kind = entry.number == nil ? .command : entry.isExpression ? .expression : .statements
    let text = kind == .expression ? Self.bare(entry.text) : entry.text
    let code = kind == .command ? [] : LuaTokens(text, isScript: false).code
    (self.kind, self.text, self.code) = (kind, text, code)
    outline = ChunkOutline(kind == .expression ? "return " + text : text)
    names = Self.names(in: code)
    valueNumber = entry.hasValue ? entry.number : nil
    isCall = kind == .expression && workflow.completeness(of: "do \(text)\nend") == .complete
  }

  private static func bare(_ text: String) -> String {
    var text = text.drop(while: \.isWhitespace)
    if text.first == "=" { text = text.dropFirst() }
    while let last = text.last, last == ";" || last.isWhitespace { text.removeLast() }
    return String(text)
  }

  static func names(in code: [LuaToken]) -> Set<String> {
    Set(code.lazy.filter { $0.kind == .name }.map(\.text))
  }

  /// Whether something is called, so that leaving it out would change what follows.
  static func calls(_ code: [LuaToken]) -> Bool {
    zip(code, code.dropFirst()).contains { callee, argument in
      (callee.kind == .name || callee.text == ")" || callee.text == "]")
        && (argument.text == "(" || argument.text == "{" || argument.kind == .string)
    }
  }

  var hasFunction: Bool { code.contains { $0.kind == .keyword && $0.text == "function" } }
  var hasConstants: Bool { has(attribute: "const") }
  /// At the prompt, too, a variable that is closed is gone at the end of its line.
  var keepsLocals: Bool { has(attribute: "close") || outline.locals.contains("_ENV") }
  /// Whether it needs a block of its own: for its variables, or for labels that another line may have as well.
  var isEnclosed: Bool { keepsLocals || code.contains { $0.kind == .symbol && $0.text == "::" } }

  private func has(attribute: String) -> Bool {
    zip(code, code.dropFirst()).contains { $0.text == "<" && $1.text == attribute }
  }

  /// Whether the first that it says of a name is that it is local. Its value may not name it: at the prompt that is the
  /// variable itself, but behind `local` another one.
  func declaresFirst(_ name: String) -> Bool {
    let places = code.indices.filter { code[$0].kind == .name && code[$0].text == name }
    guard let first = places.first else { return false }
    for index in (0..<first).reversed() {
      let token = code[index]
      if token.kind == .keyword {
        if token.text == "function" { return index > 0 && code[index - 1].text == "local" }
        return token.text == "local" && places.count == 1
      }
      guard token.kind == .name || [",", "<", ">"].contains(token.text) else { return false }
    }
    return false
  }
}
