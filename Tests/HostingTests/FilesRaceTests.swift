import Foundation
import Glibc
import Hosting
import Items
import Paging
import Synchronization
import Testing

/// In a folder of its own: `granted/` is what a script may reach, and a thread swaps what is in it for a symlink to a secret
/// beside it, as a program on the same machine could.
@Suite struct FilesRaceTests {
  private let folder = TemporaryFolder()
  private let files: FileCalls

  init() {
    folder.makeFolder("granted/inner")
    folder.makeFolder("secret")
    folder.write("harmless", to: "granted/inner/a.txt")
    folder.write("SECRET", to: "secret/a.txt")
    let granted = Access(.only(["\(folder.path)/granted"]))
    files = FileCalls(permissions: Permissions(read: granted, write: granted))
  }

  @Test(arguments: ["file", "folder"]) func `a path that is swapped after the check leads nowhere else`(
    what: String
  ) {
    let swapper = Swapper(
      what == "file" ? file("granted/inner/a.txt") : file("granted/inner"), secret: secret(what))
    var (harmless, refused) = (0, 0)

    for _ in 0..<4000 {
      let reply = files.answer(.readFile(path: file("granted/inner/a.txt")))
      if reply.text == "harmless" { harmless += 1 }
      if reply.failure != nil { refused += 1 }
      #expect(reply.text != "SECRET")
      if reply.text == "SECRET" { break }
    }

    swapper.finish()
    #expect(harmless > 0 && refused > 0 && harmless + refused == 4000)
  }

  @Test func `lines, lists and questions are not led astray either`() {
    folder.write("SECRET", to: "secret/known-only-here")
    let swapper = Swapper(file("granted/inner"), secret: secret("folder"))
    defer { swapper.finish() }

    for _ in 0..<1000 {
      let handle = files.answer(.openLines(path: file("granted/inner/a.txt"))).handle
      if case .lines(let lines, _) = files.answer(.nextLines(handle: handle, limit: 1)) {
        #expect(lines == [Bytes("harmless")])
      }
      _ = files.answer(.close(handle: handle))
      #expect(files.answer(.fileExists(path: file("granted/inner/known-only-here"))) != .flag(true))
      if case .names(let names) = files.answer(.listFiles(path: file("granted/inner"))) {
        #expect(!names.contains("known-only-here"))
      }
    }
  }

  @Test func `nothing is written where the swapped path leads`() {
    let swapper = Swapper(file("granted/inner"), secret: secret("folder"))

    for _ in 0..<1000 {
      _ = files.answer(.writeFile(path: file("granted/inner/a.txt"), contents: Bytes("harmless")))
      _ = files.answer(.writeFile(path: file("granted/inner/new.txt"), contents: Bytes("harmless")))
    }

    swapper.finish()
    #expect(folder.text(of: "secret/a.txt") == "SECRET")
    #expect(try! FileManager.default.contentsOfDirectory(atPath: secret("folder")) == ["a.txt"])
  }

  @Test func `a database is opened where it was checked`() {
    for (place, value) in [("granted/inner", "harmless"), ("secret", "SECRET")] {
      let databases = DatabaseCalls(permissions: .all)
      let handle = databases.answer(.openDatabase(path: file("\(place)/a.db"), isReadOnly: false)).handle
      let sql = "CREATE TABLE t AS SELECT '\(value)' AS a"
      #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil)
      databases.finish()
    }
    let granted = Access(.only([file("granted")]))
    let databases = DatabaseCalls(permissions: Permissions(read: granted, write: granted))
    let swapper = Swapper(file("granted/inner"), secret: secret("folder"))
    var opened = 0

    for round in 0..<1000 {
      let path = file("granted/inner/a.db")
      let reply = databases.answer(.openDatabase(path: path, isReadOnly: round.isMultiple(of: 2)))
      guard reply.failure == nil else { continue }
      opened += 1
      let rows = databases.answer(.query(handle: reply.handle, SQLStatement("SELECT a FROM t"))).text
      #expect(rows == #"[{"a":"harmless"}]"#)
      _ = databases.answer(.close(handle: reply.handle))
      if rows?.contains("SECRET") == true { break }
    }

    swapper.finish()
    #expect(opened > 0)
    #expect(
      try! FileManager.default.contentsOfDirectory(atPath: secret("folder")).sorted() == ["a.db", "a.txt"])
  }

  @Test func `what was granted is where it was at the beginning`() throws {
    try FileManager.default.moveItem(atPath: file("granted"), toPath: file("moved"))
    try FileManager.default.createSymbolicLink(atPath: file("granted"), withDestinationPath: file("secret"))

    #expect(files.answer(.readFile(path: file("granted/a.txt"))).failure?.code == .denied)
  }

  @Test func `a symlink within what was granted is followed`() throws {
    folder.makeFolder("granted/other")
    for (link, target) in [("granted/link", "inner"), ("granted/other/link", "../inner/a.txt")] {
      try FileManager.default.createSymbolicLink(atPath: file(link), withDestinationPath: target)
    }

    #expect(files.answer(.readFile(path: file("granted/link/a.txt"))).text == "harmless")
    #expect(files.answer(.readFile(path: file("granted/other/link"))).text == "harmless")
  }

  private func file(_ name: String) -> String { folder.file(name) }

  private func secret(_ what: String) -> String { file(what == "file" ? "secret/a.txt" : "secret") }
}

/// Swaps a file or folder for a symlink and back, as fast as it can, until it is finished.
private final class Swapper: Sendable {
  /// What glibc shows to those who define `_GNU_SOURCE` only.
  private typealias Rename =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32

  private let isFinished = Atomic(false)
  private let isGone = DispatchSemaphore(value: 0)

  init(_ path: String, secret: String) {
    let link = path + ".link"
    symlink(secret, link)
    let renameat2 = unsafeBitCast(dlsym(nil, "renameat2"), to: Rename.self)
    let exchange: @Sendable () -> Void = { _ = renameat2(AT_FDCWD, path, AT_FDCWD, link, 2) }
    Thread.detachNewThread { [self] in
      var count = 0
      while !isFinished.load(ordering: .relaxed) || !count.isMultiple(of: 2) {
        exchange()
        count += 1
      }
      isGone.signal()
    }
  }

  func finish() {
    isFinished.store(true, ordering: .relaxed)
    isGone.wait()
  }
}
