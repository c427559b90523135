import Hosting
import Items
import Paging
import TestSupport
import Testing

@Suite struct RecordingFaultTests {
  private static let header =
    #"{"format":"lookahead recording","version":1,"script":"feed.lua","scriptDigest":"","seed":"7","#
    + #""startedAt":1,"parameters":[],"secrets":[]}"#
  private static let call =
    #"{"call":1,"asked":0.5,"after":0.25,"readFile":{"path":"a"},"reply":{"bytes":"é"}}"#

  private func error(_ text: String) -> RecordingError? {
    do throws(RecordingError) {
      _ = try Recording(Bytes(text))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "", "\n", "local a = 1\n", "{}", "[1]", #"{"event":"run","seed":"1"}"#, "{\"format\":\"look",
  ])
  func `a text that does not begin as a recording is none`(text: String) {
    #expect(error(text) == .notARecording)
  }

  @Test func `another version is named`() {
    #expect(error(Self.header.replacing("\"version\":1", with: "\"version\":2")) == .version(2))
  }

  @Test(arguments: [
    ("nonsense", "a JSON object", "something else"),
    ("[1]", "an object as the line", "a list"),
    ("{}", "'call', 'woke', 'missed', 'started', 'interrupted' or 'ended'", "an empty object"),
    (
      #"{"call":1,"asked":"x","after":1,"close":{"handle":1},"reply":{"done":true}}"#,
      "a number of seconds as 'asked' of the line", "a text"
    ),
    (
      #"{"call":1,"asked":1,"after":-1,"close":{"handle":1},"reply":{"done":true}}"#,
      "a number of seconds from 0 to 4e9 as 'after' of the line", "a number"
    ),
    (
      #"{"call":1,"asked":1,"after":1,"close":{},"reply":{"done":true}}"#,
      "a whole number as 'handle' of close", "none"
    ),
    (
      #"{"call":1,"asked":1,"after":1,"shout":{},"reply":{"done":true}}"#,
      "a host call, as 'http' or 'sleep'", "none that is known"
    ),
    (
      #"{"call":1,"asked":1,"after":1,"close":{"handle":1},"reply":{"heard":1}}"#,
      "a reply, as 'response' or 'done'", "heard"
    ),
    (
      #"{"call":1,"asked":1,"after":1,"close":{"handle":1},"reply":{"bytes":{"base64":"a"}}}"#,
      "a text or base64 as 'bytes' of reply", "an object"
    ),
    (
      #"{"call":1,"asked":1,"after":1,"close":{"handle":1},"reply":{"names":["a",1]}}"#,
      "a text in 'names' of reply", "a number"
    ),
  ])
  func `a broken line is named with what was expected and what came`(
    line: String, expected: String, got: String
  ) {
    let text = [Self.header, Self.call, line, Self.call, ""].joined(separator: "\n")

    #expect(error(text) == .line(number: 3, expected: expected, got: got))
  }

  @Test func `a recording may be cut at any byte behind its header`() throws {
    let lines = [Self.header, Self.call, Self.call.replacing("\"a\"", with: "\"b\""), #"{"ended":9}"#, ""]
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let first = Self.header.utf8.count

    for length in first...bytes.count {
      let recording = try bytes[..<length].withUnsafeBytes { raw in try Recording(Bytes(copying: raw)) }

      let ends = [first + 1 + Self.call.utf8.count, first + 2 + 2 * Self.call.utf8.count]
      #expect(recording.exchanges.count == ends.count { $0 <= length }, "cut at \(length)")
      #expect(recording.isCut == (length < bytes.count - 1), "cut at \(length)")
    }
  }

  @Test(arguments: ["9223372036.9", "1e12", "-0.000000001"])
  func `a time that no clock shows is a fault`(time: String) {
    let text = Self.header + "\n" + Self.call.replacing("0.5", with: time) + "\n" + Self.call + "\n"

    #expect(
      error(text)
        == .line(
          number: 2, expected: "a number of seconds from 0 to 4e9 as 'asked' of the line", got: "a number"))
  }

  @Test(arguments: 0..<200)
  func `bytes that were changed by chance are a recording or a fault`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Array(
      [Self.header, Self.call, Self.call, #"{"woke":1.5,"wanted":1.25}"#, ""].joined(separator: "\n").utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = Array("\"\\{}[],:09-eu\n\u{0}\u{80}".utf8).randomElement(using: &random)!
    }

    let recording = bytes.withUnsafeBytes { raw in try? Recording(Bytes(copying: raw)) }

    #expect((recording?.exchanges.count ?? 0) <= 2, "seed \(seed)")
  }

  @Test func `a file that is not there says so`() {
    let failure = #expect(throws: RecordingError.self) { try Recording.read("/nowhere/r.jsonl") }

    guard case .unreadable(let reason)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason.code == .notFound)
  }

  @Test func `a member that is not known is passed over`() throws {
    let text = Self.header + "\n" + Self.call.replacing("\"call\":1", with: "\"call\":1,\"colour\":\"red\"")

    #expect(try Recording(Bytes(text)).exchanges.count == 1)
  }
}
