import Foundation
import TestSupport
import Testing

@Suite(.waiting) struct GalleryTests {
  @Test func `every script of the gallery has a case`() {
    #expect(GalleryCase.all.map(\.script).sorted() == Repository.gallery)
  }

  @Test(.enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
  func `a table of PostgreSQL comes page by page, and a password is found in the file for it`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run(
      """
      create table items (id bigint primary key, name text, price numeric(10, 2));
      insert into items select g, 'name ' || g, g * 1.5 from generate_series(1, 2500) g;
      grant select on items to guarded
      """)
    let scratch = try Scratch()
    try scratch.write("pgpass", "127.0.0.1:*:\(database.name):guarded:open sesame\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: "\(scratch.path)/pgpass")
    var command = Command.lookahead([
      "run", GalleryCase.postgresql.script, "--param", "url=\(database.url(user: "guarded"))",
      "--allow-net=127.0.0.1",
    ])
    command.environment = TestDatabases.environment.merging(["PGPASSFILE": "\(scratch.path)/pgpass"]) { $1 }

    let result = try command.run()

    #expect(result.exitCode == 0, "\(result.errors)")
    let items = try #require(Items(lines: result.output))
    #expect(items.texts("id") == (1...2500).map { "\($0)" })
    #expect(items.texts("price").last == "3750.00")
  }

  @Test(arguments: GalleryCase.served)
  func `a script of the gallery brings its items`(gallery: GalleryCase) throws {
    let result = try Command.lookahead(["run", gallery.run] + gallery.arguments).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    let items = try #require(Items(lines: result.output))
    #expect(items.count == gallery.count)
    let ids = items.texts(gallery.id)
    #expect(Set(ids).count == gallery.distinct ?? gallery.count)
    #expect([ids.first, ids.last] == [gallery.first, gallery.last])
  }

  @Test(arguments: Repository.scripts)
  func `a script of the gallery is short and says what it is and how to run it`(script: String) throws {
    let lines = try Repository.text(script).split(separator: "\n", omittingEmptySubsequences: false)

    #expect(lines.count <= 41)
    #expect(lines[0].hasPrefix("-- "))
    let command = Repository.experiments.contains(script) ? "lab" : "run"
    #expect(lines[1].contains("lookahead \(command) scripts/"))
    #expect(!lines[2].hasPrefix("--"))
    #expect(lines.allSatisfy { $0.count <= 120 })
  }

  @Test(arguments: Repository.scripts)
  func `a script of the gallery passes the check`(script: String) throws {
    let result = try Command.lookahead(["check", script]).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("\(script): ok"))
    #expect(result.errors == "")
  }
}
