import Paging
import Terminal
import Testing

@Suite struct LineKeyTests {
  @Test func `letters, keys with Ctrl and arrows are keys of their own`() {
    var splitter = KeySplitter()

    let strokes = splitter.feed("aé世\u{1}\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}f".utf8)

    #expect(
      strokes == [
        .key(["a"]), .key(["é"]), .key(["世"]), .key(["\u{1}"]), .key(["\u{1B}", "[", "A"]),
        .key(["\u{1B}", "O", "B"]), .key(["\u{1B}", "[", "1", ";", "5", "C"]), .key(["\u{1B}", "f"]),
      ])
    #expect(!splitter.isWaiting)
  }

  @Test func `an Escape waits for what may belong to it`() {
    var splitter = KeySplitter()

    let atOnce = splitter.feed([0x1B])
    let isWaiting = splitter.isWaiting
    let later = splitter.flush()
    let next = splitter.feed("x".utf8)

    #expect(atOnce == [] && isWaiting)
    #expect(later == [.key(["\u{1B}"])])
    #expect(next == [.key(["x"])])
  }

  @Test func `a paste is one stroke, whatever is in it`() {
    var splitter = KeySplitter()

    let strokes = splitter.feed("\u{1B}[200~a\rb\r\nc\u{1B}[31md\u{1B}[201~x".utf8)

    #expect(strokes == [.paste("a\nb\nc\u{1B}[31md"), .key(["x"])])
  }

  @Test func `bytes that are no text are keys nobody knows`() {
    var splitter = KeySplitter()

    let strokes = splitter.feed([0xFF, 0x61, 0xC3, 0x41])

    #expect(strokes.count == 4)
  }

  @Test(arguments: 0..<40)
  func `the pieces in which bytes come make no difference`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    let parts = [
      "a", "é", "世", "😀", "\u{1B}[A", "\u{1B}OP", "\u{1B}x", "\u{1B}[200~one\rtwo\u{1B}[201~", "\r", "\u{3}",
    ]
    let bytes = (0..<60).flatMap { _ in Array(parts[Int(random.next() % UInt64(parts.count))].utf8) }
    var whole = KeySplitter()
    var pieces = KeySplitter()

    let expected = whole.feed(bytes)
    var got: [KeySplitter.Stroke] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + Int(random.next() % 5))
      got += pieces.feed(bytes[start..<end])
      start = end
    }

    #expect(got == expected, "seed \(seed)")
  }
}
