import Paging
import Simulation
import TestSupport
import Testing

@Suite struct ViewportRecordingTests {
  /// A reader who goes forward and back, reads each screen for a while, and waits for what is missing. It presses keys while it
  /// waits, too.
  private static func trace(latency: Duration, seed: UInt64) throws -> ViewportTrace {
    var random = SeededGenerator(seed: seed)
    var recording = ViewportRecording()
    var now = Instant.zero
    var held = 0
    for _ in 0..<200 {
      let first = Int.random(in: 0..<400, using: &random)
      recording.see(first..<first + 10, at: now)
      if first + 10 > held {
        recording.update(isMissing: true, at: now)
        now = now + latency
        recording.see(first + 1..<first + 11, at: now)
        now = now + latency
        held = first + 20
        recording.update(isMissing: false, at: now)
      }
      now = now + .milliseconds(Int.random(in: 0...3000, using: &random))
    }
    return try #require(recording.trace(items: 500, source: "reader", at: now))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `one reader gives the same trace over any network`(seed: UInt64) throws {
    let fast = try Self.trace(latency: .milliseconds(1), seed: seed)

    #expect(try Self.trace(latency: .milliseconds(700), seed: seed) == fast)
    #expect(try Self.trace(latency: .seconds(60), seed: seed) == fast)
    #expect(fast.points.last.map { $0.milliseconds > 100_000 } == true)
  }

  @Test func `the wait for the first page and one that is not over are left out`() throws {
    var recording = ViewportRecording()
    recording.see(0..<10, at: .zero)
    recording.update(isMissing: true, at: .zero)
    recording.update(isMissing: false, at: .zero + .seconds(5))
    recording.see(20..<30, at: .zero + .seconds(6))
    recording.update(isMissing: true, at: .zero + .seconds(6))

    let trace = recording.trace(items: nil, source: "", at: .zero + .seconds(60))

    #expect(trace?.points.map(\.milliseconds) == [0, 1000, 1000])
  }

  @Test func `nothing was seen`() {
    #expect(ViewportRecording().trace(items: 10, source: "", at: .zero) == nil)
  }
}
