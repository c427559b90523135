import Lua
import Scripting

/// A session as a runnable script: the given script, the successful lines, and the sources to read.
///
/// At a prompt variables outlive their lines; in a script they must be declared once, before use.
struct SavedSession {
  private var parts: [String] = []
  private var declared: Set<String> = []
  private(set) var lineCount = 0
  private var returned: String?

  init(_ session: PromptSession) {
    if let script = session.script { add(script: script.text) }
    let entries = session.journal.entries.filter {
      $0.hasSucceeded == true && ($0.number != nil || PromptCommand.explores($0.text))
    }
    for (place, entry) in entries.enumerated() {
      guard entry.number != nil else {
        lineCount += 1
        parts.append("-- " + entry.text)
        continue
      }
      add(entry, isUsed: Self.isUsed(entry, by: entries[(place + 1)...]), in: session)
    }
    parts += session.explored?.savedLines ?? []
    returned = session.openedSource() ?? returned ?? sources(session)
  }

  var isEmpty: Bool { parts.isEmpty }

  var text: String {
    let end = returned.map { "\nreturn \($0)\n" } ?? ""
    return "-- A session of lookahead repl.\n" + parts.joined(separator: "\n") + "\n" + end
  }

  /// The sources in the session's own variables.
  private func sources(_ session: PromptSession) -> String? {
    let names = session.workflow.promptSources.map(\.name).filter { declared.contains($0) }
    guard names.count != 1 else { return names[0] }
    return names.isEmpty ? nil : "{ " + names.joined(separator: ", ") + " }"
  }

  /// The script without its return value, which must come last.
  private mutating func add(script: String) {
    let outline = ChunkOutline(script)
    parts.append(outline.withoutReturn)
    returned = outline.returned
    declared.formUnion(outline.locals)
  }

  private mutating func add(_ entry: PromptJournal.Entry, isUsed: Bool, in session: PromptSession) {
    let outline = ChunkOutline(entry.text)
    guard !entry.isExpression else { return addExpression(entry, isUsed: isUsed, in: session) }
    declare(outline.assigned.filter { !outline.locals.contains($0) })
    lineCount += 1
    // A second local of the same name would be another variable; at the prompt it is the same.
    let isAgain = !declared.isDisjoint(with: outline.locals) || outline.returnsEarly
    if isAgain { declare(outline.locals.filter { !declared.contains($0) }) }
    let text = isAgain ? outline.withoutLocals : outline.withoutReturn
    // A line that returns early must not end the script.
    add(outline.returnsEarly ? "(function()\n\(text)\nend)()" : text)
    declared.formUnion(outline.locals)
  }

  private mutating func addExpression(_ entry: PromptJournal.Entry, isUsed: Bool, in session: PromptSession) {
    var text = entry.text.drop(while: \.isWhitespace)
    if text.first == "=" { text = text.dropFirst() }
    while let last = text.last, last == ";" || last.isWhitespace { text.removeLast() }
    if isUsed, let number = entry.number {
      lineCount += 1
      declare(["_"])
      parts.append("local _\(number) = \(text)\n_ = _\(number)")
    } else if session.workflow.completeness(of: "do \(text)\nend") == .complete {
      lineCount += 1
      add(String(text))
    }
  }

  /// A part that starts with a bracket would be parsed as arguments of a call at the end of the previous part.
  private mutating func add(_ part: String) { parts.append(part.hasPrefix("(") ? ";" + part : part) }

  private mutating func declare(_ names: [String]) {
    let missing = names.filter { declared.insert($0).inserted }
    if !missing.isEmpty { parts.append("local \(missing.joined(separator: ", "))") }
  }

  /// Whether the value of an entry is used, by its number, or as `_` until there is another one.
  private static func isUsed(_ entry: PromptJournal.Entry, by later: ArraySlice<PromptJournal.Entry>) -> Bool
  {
    guard entry.hasValue, let number = entry.number else { return false }
    if later.contains(where: { uses("_\(number)", $0.text) }) { return true }
    let next = later.firstIndex(where: \.hasValue).map { later.index(after: $0) } ?? later.endIndex
    return later[..<next].contains { uses("_", $0.text) }
  }

  private static func uses(_ name: String, _ text: String) -> Bool {
    LuaTokens(text, isScript: false).code.contains { $0.kind == .name && $0.text == name }
  }
}
