import Testing

@Suite struct GalleryTests {
  @Test func `every script of the gallery has a case`() {
    #expect(GalleryCase.all.map(\.script).sorted() == Repository.gallery)
  }

  @Test(arguments: GalleryCase.all)
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
