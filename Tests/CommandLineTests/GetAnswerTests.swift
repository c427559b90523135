import Foundation
import Testing

/// Servers that answer from data: what `lookahead get` finds, and what it does not believe.
@Suite(.waiting) struct GetAnswerTests {
  @Test(arguments: GetAnswerCase.all)
  func `answers are read to the last item, or refused`(answers: GetAnswerCase) throws {
    let scratch = try served(answers)

    let result = try scratch.shell(
      Self.serving("lookahead get 'http://127.0.0.1:'$port'/list\(answers.query ?? "")' \(answers.words)"))

    #expect(result.exitCode == answers.exit, "\(result.errors)")
    #expect(try Self.ids(result.lines) == answers.ids, "\(result.errors)")
    for text in answers.says ?? [] { #expect(result.errors.contains(text), "\(result.errors)") }
  }

  @Test(arguments: GetAnswerCase.all.filter { $0.exit == 0 && !$0.words.contains("--limit") })
  func `the script that it stands for is sound and reads the same`(answers: GetAnswerCase) throws {
    let scratch = try served(answers)
    let url = "'http://127.0.0.1:'$port'/list\(answers.query ?? "")'"

    let result = try scratch.shell(
      Self.serving(
        "lookahead get \(url) \(answers.words) --as-script --quiet > feed.lua && lookahead check feed.lua > /dev/null"
          + " && lookahead run feed.lua --allow-net=127.0.0.1"))

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try Self.ids(result.lines) == answers.ids, "\(result.errors)")
  }

  @Test func `a page that was looked at is not asked for again`() throws {
    let answers = try #require(GetAnswerCase.all.first { $0.name == "a link in the body" })
    let scratch = try served(answers)

    let result = try scratch.shell(Self.serving("lookahead get \"http://127.0.0.1:$port/list\""))

    #expect(result.exitCode == 0)
    #expect(try scratch.text("log").split(separator: "\n") == ["/list", "/list?page=2", "/list?page=3"])
  }

  @Test func `one page is asked for where one is enough`() throws {
    let answers = try #require(GetAnswerCase.all.first { $0.name == "a link in the body" })
    let scratch = try served(answers)

    let result = try scratch.shell(Self.serving("lookahead get \"http://127.0.0.1:$port/list\" --limit 2"))

    #expect(result.exitCode == 0)
    #expect(try Self.ids(result.lines) == [1, 2])
    #expect(try scratch.text("log").split(separator: "\n") == ["/list"])
  }

  @Test func `secrets are parameters of the script, and stand nowhere in it`() throws {
    let answers = try #require(GetAnswerCase.all.first { $0.name == "a link in the body" })
    let scratch = try served(answers)
    let options =
      "-H 'Authorization: Bearer abc123xyz' -H 'X-Account: {account}' --secret account=qrs789tuv --as-script"

    let script = try scratch.shell(
      Self.serving("lookahead get \"http://127.0.0.1:$port/list\" \(options) > feed.lua"))
    let text = try scratch.text("feed.lua")
    let check = try scratch.lookahead("check", "feed.lua")

    #expect(script.exitCode == 0, "\(script.errors)")
    #expect(!(text + script.errors).contains("abc123xyz") && !(text + script.errors).contains("qrs789tuv"))
    #expect(text.contains("Authorization = \"Bearer \" .. parameters.token"))
    #expect(text.contains("[\"X-Account\"] = parameters.account"))
    #expect(check.exitCode == 0, "\(check.errors)")
  }

  @Test func `a recording of it is replayed without the server`() throws {
    let answers = try #require(GetAnswerCase.all.first { $0.name == "a link in the body" })
    let scratch = try served(answers)

    let result = try scratch.shell(
      Self.serving(
        "lookahead get \"http://127.0.0.1:$port/list\" --record r.txt > first; kill $server; "
          + "lookahead get \"http://127.0.0.1:$port/list\" --replay r.txt > second; cmp first second && cat second"
      ))

    #expect(try Self.ids(result.lines) == answers.ids, "\(result.errors)")
    #expect(!result.errors.contains("warn"), "\(result.errors)")
  }

  /// A folder with the answers of a case in it.
  private func served(_ answers: GetAnswerCase) throws -> Scratch {
    let scratch = try Scratch()
    let url = try #require(
      Bundle.module.url(forResource: "get-answers", withExtension: "json", subdirectory: "Cases"))
    let all = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]])
    let found = try #require(all.first { $0["name"] as? String == answers.name })
    try scratch.write("case.json", try JSONSerialization.data(withJSONObject: found))
    return scratch
  }

  /// A line of bash with a server of the case around it.
  private static func serving(_ line: String) -> String {
    let server = "\(Repository.root.path)/Tests/Servers/answer_server.py"
    return "python3 '\(server)' case.json > port 2> log & server=$!; "
      + "until port=$(cat port) && [ -n \"$port\" ]; do :; done; \(line); code=$?; kill $server 2> /dev/null; exit $code"
  }

  private static func ids(_ lines: [String]) throws -> [Int] {
    try lines.map { line in
      let item = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return try #require(item["id"] as? Int ?? item["n"] as? Int)
    }
  }
}

extension GetAnswerCase {
  /// The options as words of a shell.
  var words: String { (options ?? []).map { "'\($0)'" }.joined(separator: " ") }
}
