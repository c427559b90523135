import Foundation

/// The functions of a C or C++ target, and what each calls by name. Functions that are only handed on (to `lua_pcall`, say) are
/// not calls, and neither is what stands in a lambda.
struct CTarget {
  /// The names that each function calls, by its own.
  private(set) var calls: [String: Set<String>] = [:]
  /// What its headers show to Swift.
  let entries: Set<String>

  /// The functions of its headers begin with the prefix; nil is its name.
  init(_ target: String, prefix given: String? = nil) {
    let sources = Repository.files(below: "Sources/\(target)", endings: ["c", "cpp", "h", "hpp"])
    let prefix = given ?? target.lowercased() + "_"
    entries = Set(
      sources.filter { $0.path.contains("/include/") }
        .flatMap { Self.called(in: Self.plain($0.lines.joined(separator: "\n"))) }
        .filter { $0.hasPrefix(prefix) })
    for file in sources where !file.path.contains("/include/") {
      for (name, body) in Self.functions(of: Self.plain(file.lines.joined(separator: "\n"))) {
        calls[name, default: []].formUnion(Self.called(in: body))
      }
    }
  }

  /// The ways from an entry to one of the names, as `clua_x → helper → lua_error`.
  func ways(to names: Set<String>) -> [String] {
    entries.sorted().flatMap { ways(from: $0, [$0], to: names) }
  }

  private func ways(from name: String, _ path: [String], to names: Set<String>) -> [String] {
    (calls[name] ?? []).sorted().flatMap { callee -> [String] in
      if names.contains(callee) { return [(path + [callee]).joined(separator: " → ")] }
      return path.contains(callee) ? [] : ways(from: callee, path + [callee], to: names)
    }
  }

  /// The text without comments, without what stands in quotes, and without the bodies of lambdas.
  private static func plain(_ text: String) -> String {
    var plain = text.replacing(/\/\*[\s\S]*?\*\//, with: "").replacing(/\/\/[^\n]*/, with: "")
      .replacing(/"(\\.|[^"\\\n])*"/, with: "\"\"").replacing(/'(\\.|[^'\\\n])'/, with: "' '")
    while let start = plain.firstMatch(of: /\[\w*\]\([^()]*\)\s*\{/) {
      let end = closing(plain[start.range.lowerBound...].drop { $0 != "{" })
      plain.replaceSubrange(start.range.lowerBound..<end, with: "lambda")
    }
    return plain
  }

  /// Where the block ends that the text begins with.
  private static func closing(_ block: Substring) -> String.Index {
    var depth = 0
    for index in block.indices {
      if block[index] == "{" { depth += 1 }
      if block[index] == "}" { depth -= 1 }
      if depth == 0 { return block.index(after: index) }
    }
    return block.endIndex
  }

  /// Names and bodies: a head that begins a line and a block behind it.
  private static func functions(of text: String) -> [(String, Substring)] {
    text.matches(of: /(?m)^(?:  )?[\w:<>*& ]*?\b(~?[\w]+)\([^;{}]*\)\s*(?:const)?\s*(?::[^;{}]*)?\{/).map {
      match in
      let block = text[match.range].lastIndex(of: "{")!
      return (String(match.output.1), text[block..<closing(text[block...])])
    }
  }

  private static func called(in text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: /\b([A-Za-z_]\w*)\s*\(/).map { String($0.output.1) })
  }
}
