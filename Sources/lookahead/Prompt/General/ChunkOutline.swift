import Lua

/// The names that a text of Lua declares and sets, and what it returns, as far as its words tell.
struct ChunkOutline {
  /// Variables that it declares outside of every block, in order.
  private(set) var locals: [String] = []
  /// Variables that it sets or defines anywhere without declaring them there, in order, each once.
  private(set) var assigned: [String] = []
  /// What stands behind its last `return` outside of every block; nil where there is none.
  private(set) var returned: String?
  /// Whether a `return` stands within a block that is no function's.
  private(set) var returnsEarly = false
  /// The text up to that `return`.
  private(set) var withoutReturn: String
  /// That, with assignments in the place of the declarations outside of every block.
  private(set) var withoutLocals = ""

  private let bytes: [UInt8]
  private let tokens: [LuaToken]
  /// Parts of the text to be replaced, in order.
  private var changes: [(range: Range<Int>, text: String)] = []

  init(_ text: String) {
    bytes = Array(text.utf8)
    tokens = LuaTokens(text).code
    withoutReturn = text
    read()
    withoutReturn = changed(by: [])
    withoutLocals = changed(by: changes)
  }

  private var end = 0

  private mutating func read() {
    var blocks: [String] = []
    var scopes: [Set<String>] = [[]]
    end = bytes.count
    var place = 0
    while place < tokens.count {
      let token = tokens[place]
      switch token.text {
      case _ where token.kind == .name:
        if Self.isTarget(place, tokens, in: blocks) { set(token.text, scopes) }
      case _ where token.kind != .keyword && token.kind != .symbol: break
      case "local" where blocks.isEmpty: declare(at: place)
      case "local": scopes[scopes.count - 1].formUnion(names(after: place + 1))
      case "for": scopes[scopes.count - 1].formUnion(names(after: place + 1))
      case "return" where blocks.isEmpty:
        end = token.range.lowerBound
        returned = Self.trimmed(bytes[token.range.upperBound...])
        return
      case "return" where !blocks.contains("function"): returnsEarly = true
      case "function":
        if let name = word(place + 1), word(place + 2) == "(", place == 0 || tokens[place - 1].text != "local"
        {
          set(name, scopes)
        }
        fallthrough
      case "do", "then", "repeat", "{", "(", "[":
        blocks.append(token.text)
        scopes.append(token.text == "function" ? parameters(after: place) : [])
      case "end", "until", "}", ")", "]", "elseif":
        _ = blocks.popLast()
        if scopes.count > 1 { scopes.removeLast() }
      default: break
      }
      place += 1
    }
  }

  private func word(_ place: Int) -> String? { tokens.indices.contains(place) ? tokens[place].text : nil }

  /// Names in a list, as `a, b <const>`.
  private func names(after start: Int) -> [String] {
    var names: [String] = []
    var place = word(start) == "function" ? start + 1 : start
    while place < tokens.count, tokens[place].kind == .name {
      names.append(tokens[place].text)
      place += 1
      if word(place) == "<" { place += 3 }
      guard word(place) == "," else { break }
      place += 1
    }
    return names
  }

  private func parameters(after function: Int) -> Set<String> {
    guard let open = tokens[function...].firstIndex(where: { $0.text == "(" }) else { return [] }
    return Set(names(after: open + 1))
  }

  private mutating func set(_ name: String, _ scopes: [Set<String>]) {
    guard !assigned.contains(name), !locals.contains(name), !scopes.contains(where: { $0.contains(name) })
    else {
      return
    }
    assigned.append(name)
  }

  private mutating func declare(at place: Int) {
    let found = names(after: place + 1)
    let isFunction = word(place + 1) == "function"
    locals += found.filter { !locals.contains($0) }
    let last = place + (isFunction ? 2 : 0) + 2 * found.count - 1
    let ending = tokens.indices.contains(last) ? tokens[last].range.upperBound : bytes.count
    var closing = ending
    // Attributes are a matter of declarations only.
    var attributes: [Range<Int>] = []
    var next = place + 1
    while next + 2 < tokens.count, !isFunction, tokens[next].kind == .name {
      if word(next + 1) == "<" {
        attributes.append(
          tokens[next + 1].range
            .lowerBound..<tokens[next + 3 < tokens.count ? next + 3 : next + 2].range.upperBound)
        closing = max(closing, tokens[min(next + 3, tokens.count - 1)].range.upperBound)
        next += 3
      }
      guard word(next + 1) == "," else { break }
      next += 2
    }
    changes.append(
      (
        tokens[place].range
          .lowerBound..<tokens[place + 1 < tokens.count ? place + 1 : place].range.lowerBound, ""
      ))
    changes += attributes.map { ($0, "") }
    let after = tokens.first { $0.range.lowerBound >= closing }
    if !isFunction, after?.text != "=" { changes.append((closing..<closing, " = nil")) }
  }

  /// Whether the name is the target of an assignment, alone or in a list.
  private static func isTarget(_ place: Int, _ tokens: [LuaToken], in blocks: [String]) -> Bool {
    if let block = blocks.last, ["{", "(", "["].contains(block) { return false }
    if place > 0, [".", ":", "local", "goto", "::", "function", "for"].contains(tokens[place - 1].text) {
      return false
    }
    var next = place + 1
    while next + 1 < tokens.count, tokens[next].text == ",", tokens[next + 1].kind == .name { next += 2 }
    guard next < tokens.count, tokens[next].text == "=" else { return false }
    // In a list after `local` or `for` the names are declared, not set.
    var first = place
    while first >= 2, tokens[first - 1].text == ",", tokens[first - 2].kind == .name { first -= 2 }
    return first == 0 || !["local", "for"].contains(tokens[first - 1].text)
  }

  private func changed(by changes: [(range: Range<Int>, text: String)]) -> String {
    var result: [UInt8] = []
    var start = 0
    for change in changes where change.range.lowerBound >= start && change.range.upperBound <= end {
      result += bytes[start..<change.range.lowerBound] + Array(change.text.utf8)
      start = change.range.upperBound
    }
    return Self.trimmed(result[...] + bytes[start..<end])
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
