/// The script that a `lookahead get` stands for.
struct GetScript {
  private let command: GetCommand

  init(_ command: GetCommand) { self.command = command }

  var text: String {
    var lines = [
      "-- Pages \(command.url)".replacingLineBreaks,
      "-- Made by lookahead get; run it with: lookahead run FILE --allow-net=…",
      "local url = \(quoted(command.url))", "",
      "local source = lookahead.source {",
      "  name = \"items\",",
      "  keys = \"\(isCounted ? command.next ?? "" : "cursor")\",",
    ]
    if let id = command.id { lines.append("  id = \(quoted(id)),") }
    if let size = command.pageSize { lines.append("  pageSize = \(size),") }
    lines += ["}", ""] + helpers + ["function source.fetch(context)"] + fetch.map { "  " + $0 } + ["end", "", "return source"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var isCounted: Bool { command.next == "page" || command.next == "offset" }

  private var fetch: [String] {
    var lines: [String]
    let options = headers.map { "headers = \($0)" }
    if isCounted {
      let parameter = command.pageParameter ?? (command.next == "page" ? "page" : "offset")
      let size = command.sizeParameter ?? (command.next == "page" ? "per_page" : "limit")
      let query = "query = { [\(quoted(parameter))] = context.key, [\(quoted(size))] = context.size }"
      lines = ["local response = lookahead.http.get(url, { \(([query] + [options].compactMap { $0 }).joined(separator: ", ")) })"]
    } else {
      lines = ["local response = lookahead.http.get(context.key or \(first), { \(options ?? "") })"]
    }
    lines.append("local answer = response:json()")
    lines.append("return {")
    lines.append("  items = \(items),")
    if !isCounted { lines.append("  nextKey = \(nextKey),") }
    if let total = command.total { lines.append("  total = \(path(total)),") }
    lines.append("}")
    return lines
  }

  /// The first page's URL, with the size where it was given.
  private var first: String {
    guard let size = command.pageSize, let parameter = command.sizeParameter else { return "url" }
    let mark = command.url.contains("?") ? "&" : "?"
    return "url .. \(quoted("\(mark)\(parameter)=\(size)"))"
  }

  private var headers: String? {
    guard !command.header.isEmpty else { return nil }
    let members = command.header.map { header in
      let parts = header.split(separator: ":", maxSplits: 1)
      let value = String(parts.count > 1 ? parts[1].drop { $0 == " " } : "")
      return "[\(quoted(String(parts[0])))] = \(quoted(value))"
    }
    return "{ \(members.joined(separator: ", ")) }"
  }

  private var items: String {
    switch command.items {
    case nil: "findItems(answer)"
    case "."?: "answer"
    case let given?: path(given)
    }
  }

  private var nextKey: String {
    switch command.next {
    case nil: "findNext(response, answer)"
    case "link"?: "response.links.next"
    case let given?: "following(\(path(given)))"
    }
  }

  /// A path as Lua that gives nil where a part is missing.
  private func path(_ given: String) -> String {
    "at(answer, " + given.split(separator: ".").map { quoted(String($0)) }.joined(separator: ", ") + ")"
  }

  private var helpers: [String] {
    var lines: [String] = []
    if [command.items, command.next, command.total].contains(where: { $0?.first?.isLetter == true }) || command.next == nil {
      lines += [
        "-- The value at a path, or nil.", "local function at(value, ...)", "  for _, name in ipairs { ... } do",
        "    if type(value) ~= \"table\" then return nil end", "    value = value[tonumber(name) or name]", "  end",
        "  return value", "end", "",
      ]
    }
    if !isCounted && command.next != "link" {
      let parameter = quoted(command.pageParameter ?? "cursor")
      lines += [
        "-- A next page as a URL: a link as it is, anything else as the query parameter \(command.pageParameter ?? "cursor").",
        "local function following(value)",
        "  if value == nil or value == lookahead.null or value == false or value == \"\" then return nil end",
        "  if type(value) == \"string\" and (value:find(\"^https?://\") or value:find(\"^[/?]\")) then",
        "    return lookahead.url.join(url, value)", "  end",
        "  return url .. (url:find(\"?\", 1, true) and \"&\" or \"?\") .. \(parameter) .. \"=\" .. lookahead.url.encode(tostring(value))",
        "end", "",
      ]
    }
    if command.items == nil { lines += Self.findItems }
    if command.next == nil { lines += Self.findNext }
    return lines
  }

  private static let findItems = [
    "-- The items of an answer: itself when it is a list, else the first list under a usual name.",
    "local function findItems(answer)", "  if type(answer) ~= \"table\" then error(\"the answer is no list and no object\") end",
    "  if #answer > 0 or next(answer) == nil then return answer end", "  local names = {}",
    "  for _, name in ipairs { \"items\", \"data\", \"results\", \"records\", \"rows\", \"values\", \"value\", \"entries\", \"objects\" } do",
    "    if type(answer[name]) == \"table\" then return answer[name] end", "  end",
    "  for name in pairs(answer) do names[#names + 1] = name end", "  table.sort(names)",
    "  error(\"no list of items found: name it with --items (the answer has \" .. table.concat(names, \", \") .. \")\", 0)",
    "end", "",
  ]

  private static let findNext = [
    "-- The next page: the Link header, else a usual name in the answer.", "local function findNext(response, answer)",
    "  if response.links.next then return response.links.next end",
    "  for _, path in ipairs { { \"next\" }, { \"next_url\" }, { \"nextUrl\" }, { \"links\", \"next\" }, { \"paging\", \"next\" }, { \"_links\", \"next\", \"href\" }, { \"@odata.nextLink\" } } do",
    "    local value = at(answer, table.unpack(path))",
    "    if type(value) == \"string\" and value ~= \"\" then return following(value) end", "  end", "end", "",
  ]

  private func quoted(_ text: String) -> String { JSONLine.luaQuoted(text) }
}

extension JSONLine {
  /// A text as a Lua string.
  static func luaQuoted(_ text: String) -> String {
    var quoted = "\""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += "\\" + String(UnicodeScalar(byte))
      case 0x20...0x7E: quoted += String(UnicodeScalar(byte))
      default:
        let digits = String(byte)
        quoted += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return quoted + "\""
  }
}

extension String {
  fileprivate var replacingLineBreaks: String { String(map { $0.isNewline ? " " : $0 }) }
}
