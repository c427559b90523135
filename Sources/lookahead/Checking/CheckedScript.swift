import Lua
import Scripting

/// A checked script: loaded and analysed without being run.
struct CheckedScript {
  let path: String
  let declarations: Declarations
  /// In the order of the files, and of the places in them.
  let findings: [ScriptFinding]
  let needs: [ScriptNeed]

  init(_ file: ScriptFile) throws {
    path = file.path
    let outcome = try ScriptCheck(file).outcome()
    declarations = outcome.declarations
    let texts = [(text: file.text, name: file.path)] + outcome.modules
    let reviews = texts.map { ScriptReview($0.text, name: $0.name, names: outcome.names) }
    var findings = reviews.flatMap(\.findings)
    needs = reviews.flatMap(\.needs)
    if let failure = outcome.failure {
      let found = Self.finding(failure, of: file, names: texts.map(\.name))
      // The analysis of that line is more precise: it has the column.
      let isKnown = findings.contains {
        $0.severity == .error && ($0.file, $0.line) == (found.file, found.line)
      }
      if !isKnown { findings.append(found) }
    }
    let end = reviews.first?.returnLine ?? 0
    if let forgotten = Self.forgotten(outcome, texts.map(\.text)) {
      let message = "it declares \(forgotten) and returns none, so nothing is read: end it with `return`"
      findings.append(ScriptFinding(.error, .returnsNothing, file: file.path, line: end, message: message))
    }
    if let refusal = outcome.declarations.refusal {
      findings.append(ScriptFinding(.error, .declaration, file: file.path, line: end, message: refusal))
    }
    if file.isEmpty {
      let message =
        "the script is empty, so it does nothing: `lookahead new source NAME` writes one to start from"
      findings.append(ScriptFinding(.warning, .isEmpty, file: file.path, line: 0, message: message))
    }
    let order = Dictionary(texts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.findings = findings.sorted { first, second in
      (order[first.file] ?? 0, first.line, first.column ?? 0) < (
        order[second.file] ?? 0, second.line, second.column ?? 0
      )
    }
  }

  /// The declared sources, if the script ends without anything that could read them.
  private static func forgotten(_ outcome: ScriptCheck.Outcome, _ texts: [String]) -> String? {
    let readers = ["items", "pages", "itemSet", "emit", "spawn", "experiment"]
    let isRead = texts.contains { text in
      readers.contains { text.contains(":\($0)") || text.contains(".\($0)") }
    }
    let declared = outcome.declarations
    guard outcome.failure == nil, declared.isLoaded, declared.returnsNothing, !isRead else { return nil }
    return declared.forgottenName
  }

  /// What went wrong while the script was loaded.
  private static func finding(_ failure: LuaError, of file: ScriptFile, names: [String]) -> ScriptFinding {
    let text = Wording(failure, of: file).text
    let message = text.hasPrefix("error: ") ? String(text.dropFirst("error: ".count)) : text
    let rule: ScriptFinding.Rule = if case .syntax = failure.kind { .syntax } else { .declaration }
    for name in names where message.hasPrefix("\(name):") {
      let rest = message.dropFirst(name.count + 1)
      let digits = rest.prefix { $0.isNumber }
      guard let line = Int(digits), rest.dropFirst(digits.count).hasPrefix(": ") else { continue }
      return ScriptFinding(
        .error, rule, file: name, line: line, message: String(rest.dropFirst(digits.count + 2)))
    }
    return ScriptFinding(.error, rule, file: file.path, line: 0, message: message)
  }
}

/// What a check says.
extension CheckedScript {
  func count(_ severity: ScriptFinding.Severity) -> Int { findings.count { $0.severity == severity } }

  /// What a good script is, and what it asks for.
  var summary: String {
    let warnings = count(.warning)
    let words = warnings == 0 ? "ok" : "ok with \(warnings) warning\(warnings == 1 ? "" : "s")"
    let sources = declarations.sources.map { source in
      let width =
        source.keys == "cursor"
        ? "cursor keys, one page in flight" : "\(source.keys) keys, pages in parallel"
      return "source '\(source.name)' (\(width), \(source.pageSize) items a page)"
    }
    let head = "\(path): \(words)" + (sources.isEmpty ? "" : ": " + sources.joined(separator: "; "))
    return asked.isEmpty ? head : head + "\n  asks for " + asked.joined(separator: ", ")
  }

  /// The options that it needs: those that its sources declare, and those that its calls show.
  private var asked: [String] {
    let declared = declarations.sources.flatMap(\.needs).flatMap { kind, names in
      names.map { "--allow-\(kind)=\($0)" }
    }
    let known = Set(declared)
    let called = needs.compactMap { need -> String? in
      guard let name = need.name else {
        let word = need.capability == .net ? "HOST" : need.capability == .env ? "NAME" : "PATH"
        return known.isEmpty ? "--allow-\(need.capability)=\(word) (computed in line \(need.line))" : nil
      }
      let option = "--allow-\(need.capability)=\(name)"
      return known.contains(option) ? nil : "\(option) (line \(need.line))"
    }
    return known.sorted() + called
  }
}

extension ScriptFinding {
  /// As text for users.
  var text: String {
    let place = line == 0 ? file : place
    return "\(severity.rawValue): " + (message.hasPrefix(place) ? "" : place + ": ") + message
  }

  /// As JSON for editors.
  var json: String {
    var object = JSONLine()
    object.add("file", file)
    object.add("line", line)
    if let column { object.add("column", column) }
    object.add("severity", severity.rawValue)
    object.add("rule", rule.rawValue)
    object.add("message", message)
    return object.text
  }
}
