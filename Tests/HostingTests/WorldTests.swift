import Foundation
import Hosting
import Items
import Paging
import Testing

@Suite final class WorldTests {
  private let folder = NSTemporaryDirectory() + "/world-\(UUID())"
  private let loop: LiveLoop
  private let world: World

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    world = World(permissions: .all, target: Nowhere())
    loop = LiveLoop(world: world)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `files are written and read through the loop`() {
    let path = folder + "/a.txt"

    let replies = loop.perform([
      .writeFile(path: path, contents: Bytes("one\ntwo\n")), .readFile(path: path), .fileExists(path: path),
      .listFiles(path: folder),
    ])

    #expect(replies == [.done, .bytes(Bytes("one\ntwo\n")), .flag(true), .names(["a.txt"])])
  }

  @Test func `a handle is closed where it was opened`() throws {
    try Data("one\ntwo\n".utf8).write(to: URL(fileURLWithPath: folder + "/a.txt"))
    let opened = loop.perform([
      .openLines(path: folder + "/a.txt"), .openDatabase(path: folder + "/a.db", isReadOnly: false),
    ])
    guard case .handle(let lines) = opened[0], case .handle(let database) = opened[1] else {
      return #expect(Bool(false), "\(opened)")
    }

    let replies = loop.perform([
      .close(handle: lines), .query(handle: database, SQLStatement("SELECT 1 AS one")),
      .nextLines(handle: lines, limit: 1), .close(handle: database), .close(handle: database),
      .query(handle: database, SQLStatement("SELECT 1 AS one")),
    ])

    #expect(replies[0] == .done)
    #expect(replies[1] == .rows(IndexedJSON(Bytes(#"[{"one":1}]"#)), isEnd: true))
    #expect(replies[2].failure?.code == .invalid)
    #expect(replies[3...4] == [.done, .done])
    #expect(replies[5].failure != nil)
  }

  @Test func `a world that is finished has carried out what was asked`() {
    let path = folder + "/b.txt"
    loop.run(
      ClosureProgram { _, _ in
        [.call(HostCallID(number: 1), .writeFile(path: path, contents: Bytes("x"))), .finished]
      })

    world.finish()

    #expect(FileManager.default.contents(atPath: path) == Data("x".utf8))
  }
}
