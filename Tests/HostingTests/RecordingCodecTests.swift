import Hosting
import Items
import Paging
import Testing

@Suite struct RecordingCodecTests {
  private static let header = RecordingHeader(
    script: "feed.lua", scriptDigest: "ab", seed: .max, startedAt: 1_764_000_000.25,
    parameters: ["base": "http://x/\n\"ü\""], secrets: ["token"])

  @Test(arguments: 0..<40)
  func `every call and every answer comes back as it was written`(seed: UInt64) throws {
    var values = RandomValues(seed: seed)
    let steps = (1...60).map { number in (HostCallID(number: number), values.call(), values.reply()) }
    let program = AskingProgram(steps.map { ($0.0, $0.1) })

    let recording = try record(program, header: Self.header) { recorder in
      for (place, step) in steps.enumerated() {
        _ = recorder.handle(.replied(step.0, step.2), at: Instant(nanoseconds: Int64(place + 1) * 1_000_003))
      }
    }

    #expect(recording.header == Self.header)
    #expect(recording.exchanges.map(\.call) == steps.map { RecordedCall($0.1) }, "seed \(seed)")
    #expect(recording.exchanges.map(\.number) == Array(1...60))
    for (place, exchange) in recording.exchanges.enumerated() {
      let after = Duration.nanoseconds((place + 1) * 1_000_003)
      #expect(exchange.outcome == .answered(steps[place].2, after: after), "seed \(seed)")
    }
  }

  @Test func `a call that was taken back and one that was under way at the end have no answer`() throws {
    let call = HostCall.readFile(path: "a")
    let program = AskingProgram([(HostCallID(number: 1), call), (HostCallID(number: 2), call)])
    program.after = [[.cancel(HostCallID(number: 2))], [.finished]]

    let recording = try record(program, header: Self.header) { recorder in
      _ = recorder.handle(.woke, at: .zero + .seconds(1))
      _ = recorder.handle(.woke, at: .zero + .seconds(2))
    }

    #expect(
      recording.exchanges.map(\.outcome) == [
        .dropped(at: .zero + .seconds(2)), .dropped(at: .zero + .seconds(1)),
      ])
    #expect(!recording.isCut)
    #expect(recording.end == .zero + .seconds(2))
  }

  @Test func `the time of an answer is exact to the nanosecond after a year`() throws {
    let program = AskingProgram([(HostCallID(number: 1), .sleep(.zero))])
    let year = Instant(nanoseconds: 31_536_000_123_456_789)

    let recording = try record(program, header: Self.header) { recorder in
      _ = recorder.handle(.replied(HostCallID(number: 1), .done), at: year)
    }

    #expect(recording.end == year)
  }
}

/// The recording that comes of a program which is started at zero and told more by `events`.
func record(
  _ program: any Program, mask: SecretMask = SecretMask(), header: RecordingHeader,
  _ events: (RecordingProgram) -> Void
) throws -> Recording {
  try Recording(Bytes(recordedText(program, mask: mask, header: header, events)))
}

/// The text of that recording.
func recordedText(
  _ program: any Program, mask: SecretMask = SecretMask(), header: RecordingHeader,
  _ events: (RecordingProgram) -> Void
) -> String {
  var text = ""
  let recorder = RecordingProgram(program, mask: mask, header: { header }, write: { text += $0.string })
  _ = recorder.handle(.started, at: .zero)
  events(recorder)
  return text
}

/// Makes its calls at the start; `after` are the effects of later events, in their order.
final class AskingProgram: Program {
  private let calls: [(HostCallID, HostCall)]
  var after: [[ProgramEffect]] = []

  init(_ calls: [(HostCallID, HostCall)]) { self.calls = calls }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    if case .started = event { return calls.map { .call($0.0, $0.1) } }
    return after.isEmpty ? [] : after.removeFirst()
  }
}
