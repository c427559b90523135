/// The pages a fetch handler returns, and whether it can reach more than one.
struct HandlerRules {
  let script: ScriptText
  let handler: HandlerReading
  /// The name used in messages.
  let source: String
  /// How the source finds pages; nil if computed.
  let keys: String?
  /// Whether it has a bookmark.
  let hasBookmark: Bool

  var findings: [ScriptFinding] {
    pages + neverAnswers + neverReadsKey + neverReadsBookmark + onePage + countedKeys
  }

  private static let pageKeys = APIDescription.type(named: "Page")?.fields.map(\.name) ?? []

  /// Returned tables that are not pages.
  private var pages: [ScriptFinding] {
    handler.returns.flatMap { values -> [ScriptFinding] in
      guard let page = values.first, let entries = page.entries else { return [] }
      let unknown = entries.compactMap { entry -> ScriptFinding? in
        guard let name = entry.name, !Self.pageKeys.contains(name) else { return nil }
        return script.finding(
          .error, .unknownKey, at: entry.token,
          "the page of \(source): unknown key '\(name)'\(NearestName.hint(name, in: Self.pageKeys))")
      }
      let hasItems = entries.contains { $0.name == "items" || $0.key != nil }
      if hasItems || !unknown.isEmpty { return unknown }
      let got = entries.contains { $0.name == nil } ? "a list" : "a table without items"
      return [
        script.finding(
          .error, .neverAnswers, at: page.token,
          "fetch of \(source) returns \(got) (expected a page: { items = <the list>, nextKey = … })")
      ]
    }
  }

  /// Ends without a page, a call, an error, or passing on the context.
  private var neverAnswers: [ScriptFinding] {
    let ends = handler.returns.contains { !$0.isEmpty } || handler.completes || handler.escapes
    let raises = script.walk.calls.contains { call in
      call.callee.functions.contains(handler.body.tokens.lowerBound)
        && script.path(of: call.callee) == ["error"]
    }
    if ends || raises || handler.body.body.contains(where: \.isEndless) { return [] }
    return [
      script.finding(
        .error, .neverAnswers, at: handler.body.tokens.lowerBound,
        "fetch of \(source) ends without an answer: return a page { items = … }, or call context:complete(more)"
      )
    ]
  }

  /// Every page is requested in the same way, though there should be several.
  private var neverReadsKey: [ScriptFinding] {
    guard let keys, !handler.escapes, !handler.read.contains("key"), !keepsState, !handler.returnsOther else {
      return []
    }
    let isEndless =
      keys == "cursor"
      ? handler.gives("nextKey")
      : !handler.gives("total") && !handler.gives("isLast") && !handler.completes && !handler.pages.isEmpty
    guard isEndless else { return [] }
    let advice =
      keys == "cursor"
      ? "send it as the server wants it"
      : "send it as the number of the \(keys == "page" ? "page" : "first item")"
    return [
      script.finding(
        .warning, .neverReadsKey, at: handler.body.tokens.lowerBound,
        "fetch of \(source) never reads context.key, so that each fetch asks for the same page: \(advice)")
    ]
  }

  /// A source with a bookmark is asked for all of it each time.
  private var neverReadsBookmark: [ScriptFinding] {
    guard hasBookmark, !handler.escapes, !handler.read.contains("bookmark") else { return [] }
    return [
      script.finding(
        .warning, .neverReadsBookmark, at: handler.body.tokens.lowerBound,
        "fetch of \(source) never reads context.bookmark, so that each run asks for everything, and a text has it once more: ask for "
          + "what is new since then, or declare no bookmark")
    ]
  }

  /// Whether the handler keeps its own position: it sets an outer variable, or calls something created once.
  private var keepsState: Bool {
    let start = handler.body.tokens.lowerBound
    return script.walk.uses.contains { use in
      guard use.functions.contains(start), let local = use.root.local, local.depth <= depth else {
        return false
      }
      if use.purpose == .written { return true }
      guard use.purpose == .called else { return false }
      return use.isMethod || use.fields.isEmpty && local.value?.function == nil
    }
  }

  /// The nesting depth of the handler's function.
  private var depth: Int { (handler.body.given.first?.depth ?? 1) - 1 }

  /// The key is read but never returned.
  private var onePage: [ScriptFinding] {
    guard keys == "cursor", handler.read.contains("key"), !handler.escapes, !handler.completes,
      !handler.returnsOther, !handler.pages.isEmpty, !handler.gives("nextKey"), !handler.gives("previousKey")
    else { return [] }
    return [
      script.finding(
        .warning, .onePage, at: handler.body.tokens.lowerBound,
        "fetch of \(source) returns no nextKey, so that only the first page is read: return the key of the next "
          + "page, or declare keys = \"page\" or \"offset\"")
    ]
  }

  /// Keys in pages of a source whose pages the host counts.
  private var countedKeys: [ScriptFinding] {
    guard let keys, keys != "cursor" else { return [] }
    let names = ["nextKey", "previousKey"]
    let tokens =
      handler.pages.flatMap { page in
        page.compactMap { entry in entry.name.flatMap { names.contains($0) ? ($0, entry.token) : nil } }
      } + names.compactMap { name in handler.set[name].map { (name, $0) } }
    return tokens.map { name, token in
      script.finding(
        .warning, .uselessKey, at: token,
        "\(name) has no effect: with keys = \"\(keys)\" the host counts; remove it, or declare keys = \"cursor\""
      )
    }
  }
}

extension Statement {
  /// Whether it is a loop without an end condition.
  var isEndless: Bool {
    guard case .block(let conditions, let bodies) = self else { return false }
    return conditions.count == 1 && bodies.count == 1
      && ["true", "false"].contains { word in
        if case .constant(word) = conditions[0].bare.kind { true } else { false }
      }
  }
}
