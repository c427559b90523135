import Hosting
import Items
import Paging
import Testing

@Suite struct FilesReadingTests {
  private let folder = TemporaryFolder()
  private let files = FileCalls(permissions: .all)

  @Test(arguments: [0, 1, 4096, 300_000])
  func `a file is read whole`(size: Int) {
    let path = folder.write(String(repeating: "x", count: size), to: "a.txt")

    #expect(files.answer(.readFile(path: path)) == .bytes(Bytes(String(repeating: "x", count: size))))
  }

  @Test func `a file whose size the system does not tell is read whole`() {
    #expect(files.answer(.readFile(path: "/proc/self/status")).text?.contains("Threads:") == true)
  }

  @Test func `a missing file is not found`() {
    let path = folder.file("none.txt")

    #expect(
      files.answer(.readFile(path: path))
        == .failed(HostFailure(.notFound, "can't read \(path): no such file or directory")))
  }

  @Test func `a folder can't be read as a file`() {
    #expect(
      files.answer(.readFile(path: folder.path))
        == .failed(HostFailure(.io, "can't read \(folder.path): is a directory")))
  }

  @Test func `what was not granted is denied, and the flag is named`() {
    let path = folder.write("secret", to: "a.txt")
    let files = FileCalls(permissions: Permissions())

    for call: HostCall in [
      .readFile(path: path), .fileExists(path: path), .listFiles(path: path), .openLines(path: path),
    ] {
      let failure = files.answer(call).failure
      #expect(failure?.code == .denied)
      #expect(failure?.needs == "--allow-read=\(path)")
    }
  }

  @Test func `a path with a NUL is none`() {
    #expect(files.answer(.readFile(path: "\(folder.path)/a\0b")).failure?.code == .invalid)
  }

  @Test func `files and folders exist, and other names do not`() {
    let path = folder.write("", to: "a.txt")

    #expect(files.answer(.fileExists(path: path)) == .flag(true))
    #expect(files.answer(.fileExists(path: folder.path)) == .flag(true))
    #expect(files.answer(.fileExists(path: folder.file("b.txt"))) == .flag(false))
    #expect(files.answer(.fileExists(path: "\(path)/below")) == .flag(false))
  }

  @Test func `names in a folder are sorted`() {
    for name in ["b", "a", ".hidden", "c.txt"] { folder.write("", to: name) }

    #expect(files.answer(.listFiles(path: folder.path)) == .names([".hidden", "a", "b", "c.txt"]))
  }

  @Test func `a missing folder can't be listed`() {
    let path = folder.file("none")

    #expect(
      files.answer(.listFiles(path: path))
        == .failed(HostFailure(.notFound, "can't list \(path): no such file or directory")))
  }
}
