import Foundation
import TestSupport
import Testing

/// Runs that write to a server of PostgreSQL with a password, and what they say when it does not let them.
@Suite(.waiting, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct DatabaseOutputTests {
  private static let password = "open sesame"

  /// A way in which libpq, or we, come by a password.
  enum Way: String, CaseIterable { case secret, inAddress, variable, file, service, setting }

  private func database() throws -> PostgreSQLDatabase {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("grant all on schema public to guarded")
    return database
  }

  /// The address and the variables for a way, and further options; files are made in the folder.
  private func access(
    _ way: Way, to database: PostgreSQLDatabase, _ scratch: Scratch
  ) throws -> (address: String, variables: [String: String], options: [String]) {
    let place = "127.0.0.1:\(database.server.port)/\(database.name)"
    func keep(_ name: String, _ text: String) throws -> String {
      try scratch.write(name, text)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: "\(scratch.path)/\(name)")
      return "\(scratch.path)/\(name)"
    }
    switch way {
    case .secret:
      return ("postgresql://guarded:{pw}@\(place)", ["SESAME": Self.password], ["--secret", "pw=env:SESAME"])
    case .inAddress: return ("postgresql://guarded:open%20sesame@\(place)", [:], [])
    case .setting: return ("postgresql://guarded@\(place)?password=open%20sesame", [:], [])
    case .variable: return ("postgresql://guarded@\(place)", ["PGPASSWORD": Self.password], [])
    case .file:
      let file = try keep("passwords", "# mine\n127.0.0.1:*:\(database.name):guarded:open sesame\n")
      return ("postgresql://guarded@\(place)", ["PGPASSFILE": file], [])
    case .service:
      let file = try keep(
        "services",
        "[other]\nhost=nowhere\n[shop]\nhost=127.0.0.1\nport=\(database.server.port)\ndbname=\(database.name)\n"
          + "user=guarded\npassword=open sesame\n")
      return ("postgresql://", ["PGSERVICEFILE": file, "PGSERVICE": "shop"], [])
    }
  }

  private func run(
    _ arguments: [String], _ variables: [String: String], in scratch: Scratch
  ) throws -> CommandResult {
    var command = Command.lookahead(arguments).within(scratch)
    command.environment = TestDatabases.environment.merging(variables) { $1 }
    return try command.run()
  }

  private func expectNoPassword(_ results: CommandResult..., in scratch: Scratch, besides: [String] = [])
    throws
  {
    for text in results.flatMap({ [$0.output, $0.errors] }) { #expect(!text.contains("sesame"), "\(text)") }
    for name in try scratch.names where !["passwords", "services"].contains(name) && !besides.contains(name) {
      let text = String(
        decoding: FileManager.default.contents(atPath: "\(scratch.path)/\(name)") ?? Data(), as: UTF8.self)
      #expect(!text.contains("sesame"), "\(name)")
    }
  }

  @Test(arguments: Way.allCases)
  func `rows go to a server with a password, which is seen nowhere`(way: Way) throws {
    let database = try database()
    let scratch = try Scratch(script: Scripts.numbers)
    let (address, variables, options) = try access(way, to: database, scratch)
    let reports = ["--trace", "t.jsonl", "--record", "r.rec", "--summary", "s.json", "--log-level", "debug"]

    let result = try run(["run", "feed.lua", "-o", address] + options + reports, variables, in: scratch)
    let state = try run(["state", address] + options, variables, in: scratch)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(state.exitCode == 0, "\(state.errors)")
    #expect(state.output.contains("complete"), "\(state.output)")
    #expect(Int(try database.run("select count(*) from numbers").filter(\.isNumber)) ?? 0 > 0)
    try expectNoPassword(result, state, in: scratch)
  }

  @Test(arguments: [Way.variable, .file, .service, .inAddress])
  func `a script reads a server with a password that it never sees`(way: Way) throws {
    let database = try database()
    let scratch = try Scratch()
    let (address, variables, _) = try access(way, to: database, scratch)
    try scratch.write(
      "feed.lua",
      """
      local db = lookahead.database.open("\(address)")
      for row in db:rows("select current_user::text as id") do lookahead.emit(row) end
      """)

    let result = try run(
      ["run", "feed.lua", "--allow-net=127.0.0.1", "--record", "r.rec", "--trace", "t.jsonl"], variables,
      in: scratch)
    let denied = try run(["run", "feed.lua"], variables, in: scratch)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines == [#"{"id":"guarded"}"#])
    #expect(denied.exitCode == 77)
    #expect(denied.errors.contains("--allow-net=127.0.0.1:\(database.server.port)"), "\(denied.errors)")
    try expectNoPassword(result, denied, in: scratch, besides: way == .inAddress ? ["feed.lua"] : [])
  }

  @Test func `what a server says against a run ends it with 73, before anything is fetched`() throws {
    let database = try database()
    let scratch = try Scratch(script: Scripts.numbers)
    let place = "127.0.0.1:\(database.server.port)"
    let cases = [
      ("guarded:{pw}@\(place)/\(database.name)", "password authentication failed for user \"guarded\""),
      ("postgres@127.0.0.1:1/x", "Connection refused"),
      ("postgres@\(place)/nowhere", "database \"nowhere\" does not exist"),
      ("postgres@nowhere.invalid/x", "could not translate host name \"nowhere.invalid\""),
    ]

    for (address, message) in cases {
      let secret = address.contains("{pw}") ? ["--secret", "pw=wrong-sesame"] : []
      let result = try run(["run", "feed.lua", "-o", "postgresql://\(address)"] + secret, [:], in: scratch)

      #expect(result.exitCode == 73, "\(result.errors)")
      #expect(result.errors.contains(message), "\(result.errors)")
      try expectNoPassword(result, in: scratch)
    }
  }

  @Test func `a user without the right to make tables is told what is missing`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let scratch = try Scratch(script: Scripts.numbers)
    let (address, variables, options) = try access(.secret, to: database, scratch)

    let result = try run(["run", "feed.lua", "-o", address] + options, variables, in: scratch)
    let schema = try run(
      ["run", "feed.lua", "-o", address + "?schema=raw"] + options, variables, in: scratch)

    #expect(result.exitCode == 73)
    #expect(result.errors.contains("permission denied for schema public"), "\(result.errors)")
    #expect(result.errors.contains("GRANT CREATE"), "\(result.errors)")
    #expect(schema.exitCode == 73)
    #expect(schema.errors.contains("permission denied for database"), "\(schema.errors)")
    try expectNoPassword(result, schema, in: scratch)
  }

  @Test func `threads, shares and parts bring the same rows to a server, each once`() throws {
    let all = try PartedScript.rows()
    let reading = "select '{\"account\":' || account || ',\"id\":' || id || '}' from rows"
    func written(_ runs: [[String]]) throws -> [String] {
      let database = try PostgreSQLServer.shared.makeDatabase()
      let scratch = try Scratch(script: PartedScript.text)
      for run in runs {
        let result = try self.run(run.map { $0 == "SERVER" ? database.url() : $0 }, [:], in: scratch)
        #expect(result.exitCode == 0, "\(run): \(result.errors)")
      }
      return try database.run(reading).split(separator: "\n").map(String.init).sorted()
    }
    let server = ["run", "feed.lua", "-o", "SERVER"]

    #expect(try written([server + ["--jobs", "2"]]) == all)
    #expect(try written([server + ["--jobs", "2", "--write", "mirror"], server + ["--jobs", "3"]]) == all)
    #expect(try written([server + ["--shard", "1/2"], server + ["--shard", "2/2"]]) == all)
    #expect(
      try written([["run", "feed.lua", "-o", "all/", "--parts"], ["collect", "all/", "-o", "SERVER"]]) == all)
  }

  @Test func `whatever has a driver is written and remembered, a file and a server, in the cage`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let scratch = try Scratch(script: PartedScript.text)
    let server = database.url().replacing(":", with: "%3A").replacing("/", with: "%2F")

    for output in ["adbc:duckdb?path=x.duckdb", "adbc:postgresql?uri=\(server)"] {
      let broken = try run(["run", "feed.lua", "-o", output, "-e", "fault=7"], [:], in: scratch)
      let whole = try run(["run", "feed.lua", "-o", output], [:], in: scratch)
      let state = try run(["state", output], [:], in: scratch)

      #expect(broken.exitCode != 0)
      #expect(whole.exitCode == 0, "\(whole.errors)")
      #expect(state.lines.filter { $0.contains("complete") }.count == 12, "\(state.output)\(state.errors)")
    }
    let rows = try database.run("select '{\"account\":' || account || ',\"id\":' || id || '}' from rows")
    #expect(try rows.split(separator: "\n").map(String.init).sorted() == PartedScript.rows())
  }

  @Test func `a run with threads that is killed goes on where it was`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let scratch = try Scratch(script: PartedScript.text)
    let arguments = ["run", "feed.lua", "-o", database.url(), "--jobs", "2"]

    let broken = try run(arguments + ["-e", "fault=7"], [:], in: scratch)
    let again = try run(arguments, [:], in: scratch)

    #expect(broken.exitCode != 0)
    #expect(again.exitCode == 0, "\(again.errors)")
    let rows = try database.run("select '{\"account\":' || account || ',\"id\":' || id || '}' from rows")
    #expect(try rows.split(separator: "\n").map(String.init).sorted() == PartedScript.rows())
  }

  @Test(arguments: ["adbc:sqlite?uri=x&password=hunter2", "x.duckdb", "x.parquet"])
  func `workers of several processes are told which databases they can share`(output: String) throws {
    let scratch = try Scratch(script: PartedScript.text)

    let result = try run(["work", "feed.lua", "-o", output], [:], in: scratch)

    #expect(result.exitCode == 64)
    #expect(
      result.errors.contains(
        "expected a folder with --parts, or a database (-o FILE.db, -o postgresql://…)"), "\(result.errors)")
    #expect(!result.errors.contains("hunter2"))
  }

  @Test func `several workers share a server, beside whom no run writes`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let scratch = try Scratch(script: PartedScript.text)

    let result = try scratch.shell(
      """
      export LOOKAHEAD_DRIVERS='\(TestDrivers.folder)' OUT='\(database.url())'
      for i in 1 2 3; do
        lookahead partitions feed.lua --shard $i/3 | lookahead work feed.lua -o $OUT -e hold=7 > events.$i 2> errors.$i &
      done
      until grep -q 'page 4 of 7' errors.*; do sleep 0.05; done
      lookahead run feed.lua -o $OUT; echo exit $?
      touch go; wait; cat errors.*; grep -h '"event":"end"' events.*
      """)

    #expect(result.output.contains("exit 73"), "\(result.output)")
    #expect(result.errors.contains("another run is writing it"), "\(result.errors)")
    #expect(result.lines.count { $0.contains(#""failed":0"#) } == 3, "\(result.output)")
    let rows = try database.run("select '{\"account\":' || account || ',\"id\":' || id || '}' from rows")
    #expect(try rows.split(separator: "\n").map(String.init).sorted() == PartedScript.rows())
    let next = try run(["run", "feed.lua", "-o", database.url()], [:], in: scratch)
    #expect(next.exitCode == 0, "\(next.errors)")
  }

  @Test func `a secret that the address names is not the script's`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let missing = try run(["run", "feed.lua", "-o", "postgresql://me:{pw}@127.0.0.1:1/x"], [:], in: scratch)
    let address = ["-o", "postgresql://me:{pw}@127.0.0.1:1/x", "--secret", "pw=hunter2"]
    let get = try run(["get", "http://127.0.0.1:1/", "-H", "X: {pw}"] + address, [:], in: scratch)

    #expect(missing.exitCode == 64)
    #expect(missing.errors.contains("expected the secret pw"), "\(missing.errors)")
    #expect(get.exitCode == 64)
    #expect(get.errors.contains("it is that of the output"), "\(get.errors)")
    #expect(!get.errors.contains("hunter2"))
  }
}
