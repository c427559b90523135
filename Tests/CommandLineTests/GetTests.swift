import Foundation
import Testing

@Suite(.waiting) struct GetTests {
  /// A way to page an API, and the options that say so.
  struct Way: CustomTestStringConvertible {
    let path: String
    let options: [String]

    init(_ path: String, _ options: String...) {
      self.path = path
      self.options = options
    }

    var testDescription: String { ([path] + options).joined(separator: " ") }
  }

  private static let ways = [
    Way("items"),
    Way("items?cursor="),
    Way("items?offset=0"),
    Way("items?after_id="),
    Way("list"),
    Way("list?per_page=30"),
    Way("items?per_page=250"),
    Way("list", "--items", ".", "--next", "link", "--page-size", "30"),
    Way("items", "--items", "items", "--next", "page", "--page-size", "50", "--total", "total"),
    Way("items", "--next", "page"),
    Way("items", "--items", "items", "--next", "offset", "--page-size", "40"),
    Way(
      "items", "--next", "page", "--page-parameter", "page", "--size-parameter", "per_page", "--page-size",
      "60", "-j", "8"),
    Way("items?cursor=", "--items", "items", "--next", "next_cursor", "--page-size", "50", "--id", "id"),
    Way(
      "items?cursor=&per_page=50", "--items", "items", "--next", "next_cursor", "--page-parameter", "cursor"),
    Way("items?cursor=&per_page=50", "--items", "items", "--next", "next_url", "--total", "total"),
  ]

  @Test(arguments: ways)
  func `an API is paged to its end`(way: Way) throws {
    let url = Server.faults.base(run: "get", "items=250") + "/" + way.path

    let result = try Command.lookahead(["get", url] + way.options).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(Items(lines: result.output)?.numbers == Array(1...250))
  }

  @Test(arguments: ways)
  func `the script that it stands for gives the same items`(way: Way) throws {
    let url = Server.faults.base(run: "get", "items=250") + "/" + way.path
    let script = try Command.lookahead(["get", url, "--as-script"] + way.options).run().output
    let scratch = try Scratch(script: script)

    let check = try scratch.lookahead("check", "feed.lua")
    let result = try scratch.lookahead("run", "feed.lua", "--allow-net=\(Server.faults.address)")

    #expect(check.exitCode == 0, "\(check.errors)")
    #expect(Items(lines: result.output)?.numbers == Array(1...250))
  }

  @Test func `a next page may be named by a relative address`() throws {
    let scratch = try Scratch(script: Scripts.asking)
    let folder =
      "for page in 1 2 3; do next=null; [ $page = 3 ] || next=\"\\\"/p$((page + 1)).json\\\"\"; "
      + "echo \"{\\\"data\\\": [{\\\"id\\\":$page}], \\\"next\\\": $next}\" > p$page.json; done"
    let serve =
      "\(folder); python3 -u -m http.server --bind 127.0.0.1 0 > log 2>&1 & server=$!; "
      + "until port=$(sed -n 's/.* port \\([0-9]*\\) .*/\\1/p' log) && [ -n \"$port\" ]; do :; done; "
      + "lookahead get http://127.0.0.1:$port/p1.json; code=$?; kill $server; exit $code"

    let result = try scratch.shell(serve)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
  }

  @Test func `headers are sent`() throws {
    let url = Server.faults.base(run: "headers", "items=20/token=abc") + "/items"

    let without = try Command.lookahead(["get", url]).run()
    let with = try Command.lookahead(["get", url, "-H", "Authorization: Bearer abc"]).run()

    #expect(without.exitCode == 1)
    #expect(
      without.error.normalised == """
        error: GET URL answered 401: {"error":"a bearer token is missing or wrong"}
          Credentials are missing or wrong: a script gives them as auth or headers, lookahead get as --header.
        """)
    #expect(Items(lines: with.output)?.numbers == Array(1...20))
  }

  @Test func `a dry run sends nothing, a preview is a table`() throws {
    let url = Server.faults.base(run: "get-dry", "items=250") + "/items"

    let dry = try Command.lookahead(["get", url, "--next", "page", "--dry-run"]).run()
    let counts = try Server.faults.counts(run: "get-dry")
    let preview = try Command.lookahead(["get", url, "--preview=2"]).run()

    #expect(dry.output == "GET \(url)?page=1\n")
    #expect(counts.requests == 0)
    #expect(preview.lines.count == 4)
    #expect(preview.output.hasPrefix("id  name "))
  }

  @Test func `the output is a file like that of run`() throws {
    let scratch = try Scratch()
    let url = Server.faults.base(run: "get-file", "items=250") + "/list"

    let result = try scratch.lookahead("get", url, "-o", "items.db")

    #expect(result.exitCode == 0)
    #expect(try scratch.shell("sqlite3 items.db 'select count(*), max(id) from items'").output == "250|250\n")
  }

  @Test(
    arguments: [
      (
        "items", ["--items", "data.rows"], 65,
        "error: the answer has no list at data.rows (it has: items, page, pages, per_page, total): say where the items are with --items"
      ),
      (
        "items/3", [], 65,
        "error: the answer has no list at items, data, results or the like (it has: created, description, group, id, name, "
          + "nested, size, tags): say where the items are with --items"
      ),
      ("nowhere", [], 1, "error: GET URL answered 404: {\"error\":\"there is nothing at /nowhere\"}"),
      (
        "items", ["--max-body", "1kB"], 1,
        "error: the answer from URL is over the limit of 1,000 bytes\n  Allow more with --max-body."
      ),
    ] as [(String, [String], Int32, String)])
  func `what goes wrong is said in words of the command line`(
    path: String, options: [String], exit: Int32, error: String
  ) throws {
    let url = Server.faults.base(run: "get-wrong", "items=250") + "/" + path

    let result = try Command.lookahead(["get", url] + options).run()

    #expect(result.exitCode == exit)
    #expect(result.error.normalised == error)
    #expect(result.output == "")
  }

  @Test func `a page on another host needs permission`() throws {
    let url = Server.faults.base(run: "elsewhere", "redirect_to=localhost") + "/items"

    let refused = try Command.lookahead(["get", url]).run()
    let allowed = try Command.lookahead([
      "get", url, "--allow-net=localhost", "--next", "page", "--total", "total",
    ]).run()

    #expect(refused.exitCode == 77)
    #expect(refused.error.normalised.hasSuffix("(allow it with --allow-net=OTHER)"))
    #expect(Items(lines: allowed.output)?.count == 10_000)
  }

  @Test(arguments: [
    Way("items?page=3&per_page=50", "--next", "page", "--page-size", "50", "--total", "total"),
    Way("items?per_page=50&page=3", "--next", "page", "--page-size", "50"),
    Way("items?offset=100", "--next", "offset", "--page-size", "40", "--total", "total"),
  ])
  func `paging begins where the URL says`(way: Way) throws {
    let url = Server.faults.base(run: "get-from", "items=250") + "/" + way.path

    let result = try Command.lookahead(["get", url] + way.options).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(Items(lines: result.output)?.numbers == Array(101...250))
    #expect(!result.errors.contains("warn"), "\(result.errors)")
  }
}
