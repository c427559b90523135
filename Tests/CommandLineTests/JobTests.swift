import Testing

/// What a data engineer does with a server that nobody here wrote: `get`, and a script, compared with what was put in.
@Suite(.waiting) struct JobTests {
  @Suite(.waiting) struct KintoTests {
    private static let collection = "http://\(Server.kinto.address)/v1/buckets/public/collections/readings"
    private static let all = (1...3000).reversed().map { "reading-" + $0.padded(to: 4) }

    @Test(arguments: ["", "?_limit=100", "?_limit=1000", "?_sort=-number&_limit=700"])
    func `get follows Next-Page to the last of 3,000 records`(query: String) throws {
      let result = try Command.lookahead(["get", "\(Self.collection)/records\(query)"]).run()

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(Items(lines: result.output)?.texts("id") == Self.all)
    }

    @Test func `a script reads them in order, each with its value`() throws {
      let result = try Job("kinto_records", "collection=\(Self.collection)").run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let items = try #require(Items(lines: result.output))
      #expect(items.texts("id") == Self.all)
      #expect(items.texts("celsius") == (1...3000).reversed().map { "\(Double($0 * 37 % 400) / 10)" })
    }

    @Test func `a script fills a database with them`() throws {
      let scratch = try Scratch()

      let result = try Job("kinto_records", "collection=\(Self.collection)", "-o", "\(scratch.path)/r.db")
        .run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let sums = "select count(*), count(distinct id), sum(number), round(sum(celsius), 1) from records"
      let celsius = (1...3000).reduce(0) { $0 + $1 * 37 % 400 }
      #expect(
        try scratch.shell("sqlite3 r.db '\(sums)'").output == "3000|3000|4501500|\(Double(celsius) / 10)\n")
    }
  }

  @Suite(.waiting) struct RestFrameworkTests {
    private static let server = "http://\(Server.restFramework.address)"

    @Test(arguments: [
      "numbered/", "limited/", "limited/?limit=90", "limited/?limit=125", "cursors/",
    ])
    func `get reads every article by each paginator`(path: String) throws {
      let result = try Command.lookahead(["get", "\(Self.server)/\(path)"]).run()

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(Items(lines: result.output)?.texts("id") == (1...1250).map(String.init))
    }

    @Test(arguments: [
      ("limited/?offset=1200", 1201), ("limited/?offset=630", 631), ("numbered/?page=3", 201),
    ])
    func `get begins where the address says`(path: String, first: Int) throws {
      let result = try Command.lookahead(["get", "\(Self.server)/\(path)"]).run()

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(Items(lines: result.output)?.texts("id") == (first...1250).map(String.init))
    }

    @Test func `50 authors come with their articles`() throws {
      let result = try Job("authors_articles", "server=\(Self.server)").run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let items = try #require(Items(lines: result.output))
      let expected = (1...50).flatMap { author in (0..<25).map { author + $0 * 50 } }
      #expect(items.texts("id") == expected.map(String.init))
      #expect(items.texts("authorName") == expected.map { "Author \(($0 - 1) % 50 + 1)" })
    }
  }

  @Suite(.waiting) struct StrawberryTests {
    private static let server = "http://\(Server.strawberry.address)/graphql"
    private static let all = (1...640).map(String.init)

    @Test(arguments: [
      #"{"query": "query ($after: String) { books(first: 50, after: $after) { pageInfo { hasNextPage endCursor } edges { node { serial title } } } }", "variables": {"after": null}}"#,
      #"{"query": "query ($after: String) { books(first: 64, after: $after) { pageInfo { endCursor hasNextPage } edges { cursor node { serial } } } }"}"#,
    ])
    func `get reads a connection to its last book`(body: String) throws {
      let result = try Command.lookahead(["get", Self.server, "--method", "POST", "--data", body]).run()

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(Self.serials(result) == Self.all)
    }

    @Test(arguments: ["books", "books(first: 50)"])
    func `get does not take a part of a connection for all of it`(field: String) throws {
      let body = #"{"query": "{ \#(field) { edges { node { serial } } } }"}"#

      let result = try Command.lookahead(["get", Self.server, "--method", "POST", "--data", body]).run()

      #expect(result.exitCode == 65 || Self.serials(result) == Self.all, "\(result.errors)")
    }

    @Test func `a script reads a connection to its last book`() throws {
      let result = try Job("strawberry_books", "server=\(Self.server)").run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let items = try #require(Items(lines: result.output))
      #expect(items.texts("serial") == Self.all)
      #expect(items.texts("title") == Self.all.map { "Book \($0)" })
      #expect(Set(items.texts("id")).count == 640)
    }

    @Test func `50 shelves come with their books, whichever is answered first`() throws {
      let result = try Job("strawberry_shelves", "server=\(Self.server)").run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let items = try #require(Items(lines: result.output))
      let expected = (1...50).flatMap { shelf in stride(from: shelf, through: 640, by: 50).map { (shelf, $0) }
      }
      #expect(items.texts("serial") == expected.map { "\($0.1)" })
      #expect(items.texts("shelf") == expected.map { "Shelf \($0.0)" })
    }

    /// Books are items themselves or stand in edges.
    private static func serials(_ result: CommandResult) -> [String] {
      result.lines.compactMap { $0.firstMatch(of: /"serial":(\d+)/).map { String($0.1) } }
    }
  }

  @Suite(.waiting) struct MotoTests {
    private static let server = "http://\(Server.moto.address)"

    @Test func `a script scans a table of DynamoDB`() throws {
      let result = try Job("dynamodb_scan", "server=\(Self.server)", "--param", "table=readings").run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let items = try #require(Items(lines: result.output))
      #expect(items.texts("id").sorted() == (1...730).map { "r" + $0.padded(to: 4) })
      let celsius = zip(items.texts("id"), items.texts("celsius")).sorted { $0.0 < $1.0 }.map(\.1)
      #expect(celsius == (1...730).map { "\(Double($0 * 37 % 400) / 10)" })
    }

    @Test func `a script lists a bucket of S3, whose keys are escaped`() throws {
      let result = try Job("s3_objects", "bucket=\(Self.server)/archive").run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let items = try #require(Items(lines: result.output))
      #expect(items.texts("key") == (1...2150).map { "2026/a & b/\($0.padded(to: 5)).json" })
      #expect(Set(items.texts("size")) == ["2"])
    }

    @Test func `50 folders of a bucket come with their objects`() throws {
      let result = try Job("s3_folders", "bucket=\(Self.server)/nested").run()

      #expect(result.exitCode == 0, "\(result.errors)")
      let items = try #require(Items(lines: result.output))
      let folders = (1...50).map { "folder-\($0.padded(to: 2))/" }
      #expect(items.texts("key") == folders.flatMap { folder in (1...7).map { "\(folder)\($0).json" } })
      #expect(items.texts("folder") == folders.flatMap { Array(repeating: $0, count: 7) })
    }

    @Test func `get refuses XML and writes nothing`() throws {
      let result = try Command.lookahead(["get", "\(Self.server)/archive?list-type=2"]).run()

      #expect([1, 65].contains(result.exitCode))
      #expect(result.output == "")
      #expect(result.error.hasPrefix("error: "))
    }

    @Test func `get reads a table to its last item, or refuses`() throws {
      let result = try Command.lookahead([
        "get", Self.server, "--method", "POST", "--data", #"{"TableName": "readings", "Limit": 100}"#,
        "-H", "Content-Type: application/x-amz-json-1.0", "-H", "X-Amz-Target: DynamoDB_20120810.Scan",
        "-H", "Authorization: AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/dynamodb/aws4_request",
      ]).run()

      #expect([0, 1, 65].contains(result.exitCode), "\(result.errors)")
      if result.exitCode == 0 {
        let found = result.lines.compactMap { $0.firstMatch(of: /r(\d{4})/).flatMap { Int($0.1) } }
        #expect(found.sorted() == Array(1...730))
      }
    }
  }

  @Test(arguments: Job.all)
  func `a script of a job passes the check`(script: String) throws {
    let result = try Command.lookahead(["check", script]).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("\(script): ok"))
  }
}
