import Testing

/// The definitions for editors know what the gallery does.
@Suite(.waiting) struct TypesGalleryTests {
  /// Names that a class has, as the definitions say, by the class.
  private static let members: [String: Set<String>] = {
    let stubs = (try? Command.lookahead(["types", "--print", "stubs"]).run().output) ?? ""
    var members: [String: Set<String>] = [:]
    var name = ""
    for line in stubs.split(separator: "\n") {
      if let match = line.firstMatch(of: /^---@class (?:\(exact\) )?lookahead\.(\w+)/) {
        name = String(match.output.1)
      }
      if let match = line.firstMatch(of: /^---@field (\w+)/) {
        members[name, default: []].insert(String(match.output.1))
      }
      if let match = line.firstMatch(of: /^function (\w+):(\w+)/) {
        members[String(match.output.1), default: []].insert(String(match.output.2))
      }
    }
    return members
  }()

  /// What scripts call objects, and the classes that they are of.
  private static let words = [
    "context": ["Context"], "view": ["View"], "response": ["Response"], "updates": ["Updates"],
    "database": ["Database"], "set": ["ItemSet"], "list": ["Collection", "Source", "SourceKeys"],
    "view.latency": ["Latency"], "prefetcher": ["Prefetcher"], "prefetcher.stats": ["PrefetcherStats"],
    "failure": ["Error"],
  ]

  /// What a script asks of objects that their classes do not have.
  private static func unknown(in script: String) -> [String] {
    let code = script.replacing(/--[^\n]*/, with: "")
    return words.flatMap { word, classes in
      code.matches(of: try! Regex("\\b\(word.replacing(".", with: "\\."))[.:](\\w+)")).compactMap { match in
        let member = match.output[1].substring.map(String.init) ?? ""
        let isKnown = classes.contains { members[$0]?.contains(member) == true }
        return isKnown ? nil : "\(word).\(member)"
      }
    }.sorted()
  }

  @Test(arguments: Repository.scripts)
  func `a script of the gallery asks for what is defined`(script: String) throws {
    #expect(try Self.unknown(in: Repository.text(script)) == [])
  }

  @Test func `what is not defined is found`() {
    let script =
      "if view.remainingItem < 3 and view.latency.p99 > 1 then context:apend {} end print(response.headers)"

    #expect(Self.unknown(in: script) == ["context.apend", "view.latency.p99", "view.remainingItem"])
  }
}
