import Foundation
import Glibc
import Hosting
import Items
import Paging
import Synchronization
import Testing

@Suite struct FilesLimitTests {
  private let folder = TemporaryFolder()
  private let files = FileCalls(permissions: .all, account: ScriptAccount(largestAnswer: 10_000))

  @Test func `a file is read up to the limit and not over it`() {
    folder.write(String(repeating: "x", count: 10_000), to: "fits.txt")
    let path = folder.write(String(repeating: "x", count: 10_001), to: "large.txt")

    #expect(files.answer(.readFile(path: folder.file("fits.txt"))).text?.count == 10_000)
    #expect(
      files.answer(.readFile(path: path)).failure
        == HostFailure(
          .tooLarge,
          "\(path) is over the limit of 10,000 bytes: read it with fs.lines (--max-body raises the limit)"))
  }

  @Test func `a file of 20 GB without contents is refused before memory is taken for it`() throws {
    let path = folder.write("", to: "sparse")
    #expect(truncate(path, 20 << 30) == 0)
    let files = FileCalls(permissions: .all)

    #expect(files.answer(.readFile(path: path)).failure?.code == .tooLarge)
  }

  @Test func `a file without end is refused at the limit`() {
    #expect(files.answer(.readFile(path: "/dev/zero")).failure?.code == .tooLarge)
    let handle = files.answer(.openLines(path: "/dev/zero")).handle
    let failure = files.answer(.nextLines(handle: handle, limit: 1)).failure
    #expect(
      failure?.message == "a line of /dev/zero is over the limit of 10,000 bytes (--max-body raises it)")
  }

  @Test func `a pipe that nobody writes is waited for no longer than the run`() {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let replies = Mutex<[HostReply]>([])
    files.perform(.readFile(path: path)) { reply in replies.withLock { $0.append(reply) } }
    files.perform(.writeFile(path: path, contents: Bytes("x"))) { reply in
      replies.withLock { $0.append(reply) }
    }

    files.finish()

    #expect(replies.withLock { $0.count { $0.failure?.code == .io } } == 2)
  }

  @Test func `a pipe that nobody opens to write is no file to read`() {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let files = FileCalls(permissions: .all, patience: .zero)

    let read = files.answer(.readFile(path: path))
    let handle = files.answer(.openLines(path: path)).handle
    let lines = files.answer(.nextLines(handle: handle, limit: 1))

    for reply in [read, lines] {
      #expect(
        reply.failure?.message == "can't read \(path): it is a pipe, and nobody has opened it to write")
    }
  }

  @Test func `a pipe is read to its end`() throws {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread { try? Data("through the pipe".utf8).write(to: URL(fileURLWithPath: path)) }

    #expect(files.answer(.readFile(path: path)).text == "through the pipe")
  }

  @Test func `lines that are long come in smaller portions`() {
    let line = String(repeating: "x", count: 1000)
    let path = folder.write(String(repeating: line + "\n", count: 20), to: "a.txt")
    let handle = files.answer(.openLines(path: path)).handle
    var counts: [Int] = []

    while case .lines(let lines, let isEnd) = files.answer(.nextLines(handle: handle, limit: 100)) {
      counts.append(lines.count)
      if isEnd { break }
    }

    #expect(counts.reduce(0, +) == 20 && counts.allSatisfy { 1...3 ~= $0 }, "\(counts)")
  }

  @Test func `a folder of many names is refused at the limit`() {
    for number in 0..<1000 { folder.write("", to: "\(number)") }

    #expect(files.answer(.listFiles(path: folder.path)).failure?.code == .tooLarge)
  }

  @Test func `so many files are open and no more`() {
    let path = folder.write("1\n2\n", to: "a.txt")
    var handles: [Int] = []
    var failure: HostFailure?
    while failure == nil {
      let reply = files.answer(.openLines(path: path))
      failure = reply.failure
      if failure == nil { handles.append(reply.handle) }
    }

    #expect(handles.count == 128)
    #expect(failure?.message.hasPrefix("128 are open already") == true)
    #expect(files.answer(.close(handle: handles[0])) == .done)
    #expect(files.answer(.openLines(path: path)).failure == nil)
  }

  @Test func `what the account does not pay is not done`() {
    let path = folder.write("text", to: "a.txt")
    let files = FileCalls(permissions: .all, account: ScriptAccount { _ in false })

    #expect(files.answer(.readFile(path: path)).failure?.code == .limit)
  }

  @Test func `the variables of a process need their own permission, wherever they are read`() {
    let files = FileCalls(permissions: Permissions(read: Access(.all)))

    for path in ["/proc/self/environ", "/proc/thread-self/environ", "/proc/\(getpid())/environ"] {
      #expect(files.answer(.readFile(path: path)).failure?.needs == "--allow-env", "\(path)")
    }
  }
}
