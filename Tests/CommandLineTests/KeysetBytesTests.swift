import Foundation
import TestSupport
import Testing

/// Keys of bytes in the scripts that read tables by keyset.
@Suite(.waiting) struct KeysetBytesTests {
  @Test(.enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
  func `a table of PostgreSQL whose key is bytes is read to its last row`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table kt as select int8send(i) as k from generate_series(1, 3000) i")
    var command = Command.lookahead([
      "run", "scripts/sources/postgresql.lua", "-e", "url=\(database.url())", "-e", "table=kt", "-e", "key=k",
      "-e", "type=bytea", "--allow-net=127.0.0.1",
    ])
    command.environment = TestDatabases.environment

    let result = try command.run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(Set(result.lines).count == 3000, "\(result.errors)")
  }

  @Test func `a table of SQLite whose key has blobs is refused`() throws {
    let scratch = try Scratch()
    _ = try scratch.shell("sqlite3 a.db \"create table t as select 'a' as k union select x'01'\"")

    let result = try Command.lookahead([
      "run", "scripts/sources/sqlite.lua", "-e", "file=\(scratch.path)/a.db", "-e", "table=t", "-e", "key=k",
      "--allow-read=\(scratch.path)",
    ]).run()

    #expect(result.exitCode == 65)
    #expect(result.errors.contains("k has blobs: name a key of numbers or texts"), "\(result.errors)")
    #expect(result.output == "")
  }
}
