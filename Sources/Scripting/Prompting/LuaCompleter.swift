import Lua

/// Completion: words that may stand at the cursor, found without calling anything.
struct LuaCompleter {
  private let state: LuaState
  private let scheduler: Scheduler
  private let prompt: Prompt
  private let values: PromptValues

  init(_ state: LuaState, _ scheduler: Scheduler, _ prompt: Prompt, _ values: PromptValues) {
    self.state = state
    self.scheduler = scheduler
    self.prompt = prompt
    self.values = values
  }

  /// Completions of the word at the cursor, an offset in UTF-8 bytes. Nothing of the script is called.
  func completions(of text: String, at cursor: Int) -> PromptCompletions {
    let typed = String(decoding: text.utf8.prefix(max(0, cursor)), as: UTF8.self)
    guard scheduler.running == nil else { return PromptCompletions(start: cursor, word: "", []) }
    let place = CompletedWord(typed)
    let stack = state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    switch place.kind {
    case .none: return PromptCompletions(start: place.start, word: place.word, [])
    case .text:
      let found = prompt.options.completesText(place.word).map { PromptCandidate($0, .text) }
      return PromptCompletions(start: place.start, word: place.word, found)
    case .name: return names(place)
    case .field(let path), .method(let path):
      values.push(path)
      return fields(place)
    case .key(let path, let quote):
      values.push(path)
      return keys(place, quote)
    }
  }

  /// Variables, globals, keywords, and the names in the text.
  private func names(_ place: CompletedWord) -> PromptCompletions {
    let stack = state.stack
    stack.push(prompt.globals.session)
    let words = LuaToken.keywords.filter { $0.hasPrefix(place.word) }.map { PromptCandidate($0, .keyword) }
    let written = place.names.filter { $0.hasPrefix(place.word) }.map { PromptCandidate($0, .name) }
    return candidates(place, words + written, kind: .name)
  }

  private func fields(_ place: CompletedWord) -> PromptCompletions {
    guard case .method = place.kind else { return candidates(place, knownFields(place), kind: .field) }
    return candidates(place, [], kind: .method)
  }

  /// Names of fields that a host object answers to.
  private func knownFields(_ place: CompletedWord) -> [PromptCandidate] {
    let stack = state.stack
    let value = stack.count
    guard let object = HostObject(stack, at: value) else { return [] }
    defer { stack.truncate(to: value) }
    return (0..<object.push(.names, on: stack)).flatMap { position in
      stack.keys(of: value + 1 + position, LuaKeys.Wanted(prefix: place.word)).keys
        .map { PromptCandidate($0.text, .field) }
    }
  }

  /// Candidates from the tables behind the value on top, in addition to those already found.
  private func candidates(
    _ place: CompletedWord, _ found: [PromptCandidate], kind: PromptCandidate.Kind
  ) -> PromptCompletions {
    let stack = state.stack
    let value = stack.count
    var found = found
    var last: String?
    var isCut = false
    var wanted = LuaKeys.Wanted(prefix: place.word)
    wanted.limit = PromptCompletions.limit
    wanted.areMethods = kind == .method
    for table in value + 1..<value + 1 + values.pushLookup(of: value, withRecord: false) {
      let keys = stack.keys(of: table, wanted)
      let isHidden = !place.word.hasPrefix("__")
      found += keys.keys.filter { LuaToken.isName($0.text) && !(isHidden && $0.text.hasPrefix("__")) }.map {
        PromptCandidate($0.text, kind)
      }
      guard keys.count > keys.keys.count else { continue }
      isCut = true
      last = max(last ?? "", keys.last)
    }
    return PromptCompletions(start: place.start, word: place.word, found, isCut: isCut, last: last)
  }

  /// Indexes of the table on top, with their closing characters: strings, and after a bare bracket also positions.
  private func keys(_ place: CompletedWord, _ quote: Character?) -> PromptCompletions {
    let stack = state.stack
    let table = stack.count
    guard stack.isTable(at: table) else { return PromptCompletions(start: place.start, word: place.word, []) }
    var wanted = LuaKeys.Wanted(prefix: place.word)
    wanted.areNames = false
    wanted.limit = PromptCompletions.limit
    if quote == nil { wanted.prefix = "" }
    let keys = stack.keys(of: table, wanted)
    let mark = quote.map(String.init) ?? "\""
    let opening = quote == nil ? mark : ""
    var found = keys.keys.filter { $0.text.isPlain(within: mark) }
      .map { PromptCandidate(opening + $0.text + mark + "]", .key) }
    if quote == nil {
      let count = stack.unmadeRows(at: table) ?? stack.length(of: table)
      found += (1...max(1, min(count, PromptCompletions.limit))).prefix(count).map {
        PromptCandidate("\($0)]", .key)
      }
      found = found.filter { $0.text.hasPrefix(place.word) }
    }
    let isCut = keys.count > keys.keys.count
    return PromptCompletions(
      start: place.start, word: place.word, found, isCut: isCut, last: isCut ? opening + keys.last : nil)
  }
}

extension String {
  /// Whether it can stand in these quotes unescaped.
  func isPlain(within quote: String) -> Bool {
    unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" && $0 != "\u{FFFD}" && String($0) != quote
    }
  }
}
