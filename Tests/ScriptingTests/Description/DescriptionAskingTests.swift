import Scripting
import Testing

@Suite struct DescriptionAskingTests {
  @Test(arguments: [
    "lookahead.http.get", "http.get", "source.fetch", "context:append", "context.append", "view", "lookahead",
    "lookahead.source", "source", "view.latency.p95", "sqlite", "db:query", "policy.ramp()", " http.get ",
  ])
  func `there is a text about a name`(name: String) throws {
    let text = try #require(APIDescription.text(for: name))

    #expect(text.split(separator: "\n").count >= 2)
  }

  @Test func `the text about a function has all of it`() throws {
    let text = try #require(APIDescription.text(for: "http.get"))

    for part in [
      "lookahead.http.get(url: string, options?: HTTPOptions): Response", "waits", "--allow-net",
      "raise?: boolean",
      "Default: true.", "local response =",
    ] { #expect(text.contains(part)) }
  }

  @Test func `a name that two things share tells both`() throws {
    let text = try #require(APIDescription.text(for: "source"))

    #expect(text.contains("lookahead.source(keys: SourceKeys): Source"))
    #expect(text.contains(":items()"))
  }

  @Test(arguments: [40, 72, 100])
  func `lines are no longer than asked for, where words allow`(width: Int) throws {
    for name in APIDescription.names {
      let lines = try #require(APIDescription.text(for: name, width: width)).split(separator: "\n")
      let meanings = lines.filter {
        !$0.contains("(") && !$0.contains("{") && !$0.contains(": ") && !$0.contains("\"")
      }
      #expect(meanings.allSatisfy { $0.count <= width }, "\(name)")
    }
  }

  @Test func `every name of the description has a text`() {
    #expect(APIDescription.names.filter { APIDescription.text(for: $0) == nil } == [])
  }

  @Test(arguments: [
    ("lookahead.htpp.get", "lookahead.http.get"), ("sourc", "lookahead.source"),
    ("contxt:append", "context:append"),
    ("veiw", "view"),
  ])
  func `a name that is not there has near ones`(wrong: String, right: String) {
    #expect(APIDescription.text(for: wrong) == nil)
    #expect(APIDescription.nearestNames(to: wrong).first == right)
  }

  @Test(arguments: [
    ("latency", "view.latency"), ("append", "context:append"), ("fetchNextPage", "itemSet:fetchNextPage"),
    ("leadingScreens", "lookahead.policy.leadingScreens"), ("get", "lookahead.http.get"),
    ("get", "prefetcher:get"),
    ("items", "source:items"), ("FETCHNEXTPAGE()", "itemSet:fetchNextPage"),
    ("fetchNextPgae", "itemSet:fetchNextPage"),
  ])
  func `a bare name has the names that end with it`(bare: String, whole: String) {
    let nearest = APIDescription.nearestNames(to: bare)

    #expect(nearest.contains(whole), "\(nearest)")
    #expect(nearest.count <= 6)
    #expect(nearest.allSatisfy { APIDescription.text(for: $0) != nil })
  }

  @Test func `what is like nothing has no near names`() {
    #expect(APIDescription.nearestNames(to: "qqqqqqqqqqqq") == [])
  }

  @Test(arguments: [
    ("lookahead.ht", ["lookahead.http"]), ("http.p", ["http.patch", "http.post", "http.put"]),
    ("lookahead.policy.a", ["lookahead.policy.allOf", "lookahead.policy.anyOf", "lookahead.policy.atMost"]),
    ("context:a", ["context:append"]), ("view.latency.p", ["view.latency.p50", "view.latency.p95"]),
    ("zz", []),
  ])
  func `names are completed`(start: String, names: [String]) {
    #expect(APIDescription.names(after: start) == names)
  }

  @Test func `at the beginning there are words and modules`() {
    let names = APIDescription.names(after: "")

    #expect(names.contains("lookahead"))
    #expect(names.contains("http"))
    #expect(names.contains("view"))
    #expect(names.allSatisfy { !$0.contains(".") && !$0.contains(":") })
  }

  @Test func `the keys of a call are told`() throws {
    let keys = try #require(APIDescription.keys(of: "lookahead.source"))

    #expect(keys.first { $0.name == "pageSize" }?.defaultText == "20")
    #expect(APIDescription.keys(of: "lookahead.sauce") == nil)
  }
}
