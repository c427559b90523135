import Glibc
import Hosting
import Testing

@Suite struct CheckpointerTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("a.db") }

  @Test(.timeLimit(.minutes(5)))
  func `rows are in the file, not in its log alone, before the run ends`() throws {
    let first = try makeSink(SinkConfiguration(path: path))
    first.answer([item(0, #"{"id":0,"t":""}"#)])
    #expect(first.finish().failure == nil)
    let watch = inotify_init1(0)
    defer { close(watch) }
    #expect(inotify_add_watch(watch, path, UInt32(IN_MODIFY)) >= 0)

    // Eight megabytes, where SQLite itself would move sixteen.
    let text = String(repeating: "x", count: 1000)
    let sink = try makeSink(SinkConfiguration(path: path))
    for page in 0..<80 {
      sink.answer(
        (1...100).map { number in
          let id = page * 100 + number
          return item(Int64(id), #"{"id":\#(id),"t":"\#(text)"}"#)
        })
    }
    // Each read waits for a change of the file; that of the log is another file.
    var events: [UInt8] = Array(repeating: 0, count: 4096)
    repeat {
      #expect(read(watch, &events, events.count) > 0)
    } while fileSize < 4 << 20

    #expect(sink.finish().failure == nil)
    #expect(folder.names == ["a.db"])
    #expect(
      rows("SELECT count(*) AS n, sum(id) AS s, sum(length(t)) AS l FROM items", of: path)
        == #"[{"n":8001,"s":32004000,"l":8000000}]"#)
  }

  private var fileSize: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
