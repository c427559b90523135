/// The script that a `lookahead get` stands for.
struct GetScript {
  private let command: GetCommand

  init(_ command: GetCommand) { self.command = command }

  var text: String {
    let parts = [header] + helpers + [handler]
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var header: String {
    let settings = [
      "name = \"items\"", "keys = \(quoted(keys))", firstNumber.map { "firstKey = \($0)" },
      command.id.map { "id = \(quoted($0))" },
      command.pageSize.map { "pageSize = \($0)" },
    ]
    return """
      -- Pages \(String(command.url.map { $0.isNewline ? " " : $0 }))
      -- Made by lookahead get; run it with: lookahead run FILE --allow-net=\(command.host)

      local url = \(quoted(firstURL))

      local source = lookahead.source { \(settings.compactMap { $0 }.joined(separator: ", ")) }
      """
  }

  private var handler: String {
    var page = ["items = items"]
    if !isCounted { page.append("nextKey = \(nextKey)") }
    var total = ""
    if let path = command.total {
      page.append("total = total")
      total = "\n  local total = totalOf(answer, at(answer, \(names(path))), \(quoted(path)))\(skipping)"
    }
    return """
      function source.fetch(context)
        local response = lookahead.http.get(\(isCounted ? "url" : "context.key or url")\(options))
        local answer = response:json()
        local items = \(items)\(total)
        return { \(page.joined(separator: ", ")) }
      end

      return source
      """
  }

  private var isCounted: Bool { command.next == "page" || command.next == "offset" }
  private var keys: String { isCounted ? command.next ?? "" : "cursor" }

  /// Where a counted size goes by default, as most servers have it.
  private var sizeParameter: String {
    command.sizeParameter ?? (command.next == "offset" ? "limit" : "per_page")
  }

  /// The first page's URL; counted pages say their size with each request.
  private var firstURL: String {
    guard !isCounted, let size = command.pageSize else { return command.url }
    return command.url + (command.url.contains("?") ? "&" : "?") + "\(sizeParameter)=\(size)"
  }

  /// The query parameter that is counted up.
  private var counted: String { command.pageParameter ?? keys }

  /// Where the URL itself begins: its own page number or offset.
  private var firstNumber: Int? {
    guard isCounted, let mark = command.url.firstIndex(of: "?") else { return nil }
    let query = command.url[command.url.index(after: mark)...].prefix { $0 != "#" }
    for parameter in query.split(separator: "&") {
      let sides = parameter.split(separator: "=", maxSplits: 1)
      if sides.count == 2, sides[0] == counted { return Int(sides[1]).flatMap { $0 >= 0 ? $0 : nil } }
    }
    return nil
  }

  /// The total without what lies before the URL's own beginning.
  private var skipping: String {
    guard let firstNumber, firstNumber > (keys == "page" ? 1 : 0) else { return "" }
    let skipped = keys == "page" ? "\(firstNumber - 1) * context.size" : "\(firstNumber)"
    return "\n  if math.type(total) == \"integer\" then total = math.max(0, total - \(skipped)) end"
  }

  /// The options of the request, after a comma.
  private var options: String {
    var options: [String] = []
    if isCounted {
      options.append(
        "query = { [\(quoted(counted))] = context.key, [\(quoted(sizeParameter))] = context.size }")
    }
    if !command.header.isEmpty {
      options.append("headers = { \(command.header.map(headerMember).joined(separator: ", ")) }")
    }
    return options.isEmpty ? "" : ", { \(options.joined(separator: ", ")) }"
  }

  private func headerMember(_ header: String) -> String {
    let parts = header.split(separator: ":", maxSplits: 1)
    let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    return "[\(quoted(String(parts[0])))] = \(quoted(value))"
  }

  private var items: String {
    switch command.items {
    case nil: "findItems(answer)"
    case "."?: "list(answer, answer, \".\")"
    case let path?: "list(answer, at(answer, \(names(path))), \(quoted(path)))"
    }
  }

  private var nextKey: String {
    switch command.next {
    case nil: "findNext(response, answer, context.key, #items)"
    case "link"?: "linked(response, answer, context.key, #items)"
    case let path?:
      "following(response, checked(answer, at(answer, \(names(path))), \(quoted(path)), context.key, #items), "
        + "\(quoted(command.pageParameter ?? "cursor")))"
    }
  }

  /// The helpers that the handler uses.
  private var helpers: [String] {
    let isSearching = command.next == nil
    let followsPath = !isSearching && !isCounted && command.next != "link"
    let usesPath = !isCounted || command.total != nil || (command.items ?? ".") != "."
    var helpers = [GetHelpers.list]
    if usesPath { helpers.append(GetHelpers.at) }
    if isSearching || followsPath { helpers += [GetHelpers.with, GetHelpers.following] }
    if command.items == nil { helpers.append(GetHelpers.findItems) }
    if !isCounted { helpers.append(GetHelpers.saysMore) }
    if isSearching { helpers.append(GetHelpers.findNext) }
    if followsPath { helpers.append(GetHelpers.checked) }
    if command.next == "link" { helpers.append(GetHelpers.linked) }
    if command.total != nil { helpers.append(GetHelpers.totalOf) }
    return helpers
  }

  /// The names of a path as arguments.
  private func names(_ path: String) -> String {
    path.split(separator: ".").map { quoted(String($0)) }.joined(separator: ", ")
  }

  /// A text as a Lua string.
  private func quoted(_ text: String) -> String {
    let bytes = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return "\\" + String(UnicodeScalar(byte))
      case 0x20...0x7E: return String(UnicodeScalar(byte))
      default:
        let digits = String(byte)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return "\"" + bytes.joined() + "\""
  }
}
