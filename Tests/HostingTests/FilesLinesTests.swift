import Hosting
import Items
import Paging
import TestSupport
import Testing

@Suite struct FilesLinesTests {
  private let folder = TemporaryFolder()
  private let files = FileCalls(permissions: .all)

  @Test(arguments: [
    ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
    ("\n\na\n\n", ["", "", "a", ""]), ("a\rb\n", ["a\rb"]), ("a\r\r\n", ["a\r"]), ("a\r", ["a\r"]),
  ])
  func `lines end with LF or CRLF, and the last one may have no end`(text: String, expected: [String]) {
    #expect(lines(of: text, limit: 10) == expected)
  }

  @Test(arguments: [65_535, 65_536, 65_537, 200_000, 1_000_000])
  func `lines may be longer than what is read at once`(length: Int) {
    let long = String(repeating: "x", count: length)

    #expect(lines(of: "a\n\(long)\r\nb\n\(long)", limit: 3) == ["a", long, "b", long])
  }

  @Test(arguments: 1...30)
  func `the lines of any text are what splitting it gives`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var text = ""
    for _ in 0..<Int.random(in: 0...20_000, using: &random) {
      text += String(repeating: "y", count: Int.random(in: 0...20, using: &random))
      text += Bool.random(using: &random) ? "\n" : "\r\n"
    }

    var expected = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.last == "\r" ? String($0.dropLast()) : String($0)
    }
    expected.removeLast()
    #expect(lines(of: text, limit: Int.random(in: 1...5000, using: &random)) == expected)
  }

  @Test func `lines keep their ends where that is asked for`() {
    let path = folder.write("a\r\nb\n\r\n\rc", to: "a.txt")
    let handle = files.answer(.openLines(path: path, keepsEnds: true)).handle

    let lines = ["a\r\n", "b\n", "\r\n", "\rc"].map { Bytes($0) }
    #expect(files.answer(.nextLines(handle: handle, limit: 9)) == .lines(lines, isEnd: true))
  }

  @Test func `fewer lines than asked for come only at the end`() {
    let path = folder.write("1\n2\n3\n4\n5", to: "a.txt")
    let handle = files.answer(.openLines(path: path)).handle

    #expect(
      files.answer(.nextLines(handle: handle, limit: 2)) == .lines([Bytes("1"), Bytes("2")], isEnd: false))
    #expect(
      files.answer(.nextLines(handle: handle, limit: 2)) == .lines([Bytes("3"), Bytes("4")], isEnd: false))
    #expect(files.answer(.nextLines(handle: handle, limit: 2)) == .lines([Bytes("5")], isEnd: true))
    #expect(files.answer(.nextLines(handle: handle, limit: 2)) == .lines([], isEnd: true))
  }

  @Test func `two readers of one file do not disturb each other`() {
    let path = folder.write("1\n2\n", to: "a.txt")
    let first = files.answer(.openLines(path: path)).handle
    let second = files.answer(.openLines(path: path)).handle

    #expect(files.answer(.nextLines(handle: first, limit: 1)) == .lines([Bytes("1")], isEnd: false))
    #expect(files.answer(.nextLines(handle: second, limit: 1)) == .lines([Bytes("1")], isEnd: false))
    #expect(first != second)
  }

  @Test func `to close twice is harmless, to read then is an error`() {
    let handle = files.answer(.openLines(path: folder.write("1", to: "a.txt"))).handle

    #expect(FileCalls.isFile(handle))
    #expect(files.answer(.close(handle: handle)) == .done)
    #expect(files.answer(.close(handle: handle)) == .done)
    #expect(files.answer(.nextLines(handle: handle, limit: 1)).failure?.code == .invalid)
  }

  @Test func `a folder has no lines`() {
    let handle = files.answer(.openLines(path: folder.path)).handle

    #expect(
      files.answer(.nextLines(handle: handle, limit: 1))
        == .failed(HostFailure(.io, "can't read \(folder.path): is a directory")))
  }

  private func lines(of text: String, limit: Int) -> [String] {
    let handle = files.answer(.openLines(path: folder.write(text, to: "lines.txt"))).handle
    var all: [String] = []
    while case .lines(let lines, let isEnd) = files.answer(.nextLines(handle: handle, limit: limit)) {
      all += lines.map(\.string)
      if isEnd { break }
    }
    return all
  }
}
