import Foundation
import Hosting
import Items
import Paging
import Testing

@Suite struct FilesWritingTests {
  private let folder = TemporaryFolder()
  private let files = FileCalls(permissions: .all)

  @Test func `a file is made, and replaced`() {
    for text in ["first", "", "the second one"] {
      #expect(files.answer(.writeFile(path: folder.file("a.txt"), contents: Bytes(text))) == .done)
      #expect(folder.text(of: "a.txt") == text)
    }
    #expect(folder.names == ["a.txt"])
  }

  @Test func `a file that is replaced keeps its mode`() throws {
    let path = folder.write("old", to: "a.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)

    #expect(files.answer(.writeFile(path: path, contents: Bytes("new"))) == .done)

    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
  }

  @Test func `through a symlink its target is replaced`() throws {
    folder.write("old", to: "a.txt")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "a.txt")

    #expect(files.answer(.writeFile(path: folder.file("link"), contents: Bytes("new"))) == .done)

    #expect(folder.text(of: "a.txt") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == "a.txt")
  }

  @Test func `who has the old file open still reads the old contents`() throws {
    let path = folder.write("old", to: "a.txt")
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))

    #expect(files.answer(.writeFile(path: path, contents: Bytes("new"))) == .done)

    #expect(try reader.readToEnd() == Data("old".utf8))
  }

  @Test func `a missing folder is an error`() {
    let path = folder.file("none/a.txt")

    #expect(
      files.answer(.writeFile(path: path, contents: Bytes("x")))
        == .failed(HostFailure(.notFound, "can't write \(path): no such file or directory")))
  }

  @Test func `a full disk is an error`() {
    #expect(
      files.answer(.writeFile(path: "/dev/full", contents: Bytes("x")))
        == .failed(HostFailure(.io, "can't write /dev/full: no space left on device")))
  }

  @Test func `to read is not to write`() {
    let files = FileCalls(permissions: Permissions(read: Access(.all)))

    let failure = files.answer(.writeFile(path: folder.file("a.txt"), contents: Bytes("x"))).failure

    #expect(failure?.needs == "--allow-write=\(folder.file("a.txt"))")
    #expect(folder.names == [])
  }
}
