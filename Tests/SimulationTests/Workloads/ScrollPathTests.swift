import Paging
import Simulation
import Testing

@Suite struct ScrollPathTests {
  private func steady(_ parameters: [String: Double], items: Int? = nil, viewport: Double = 7)
    throws -> ScrollPath
  {
    var options = Workload.Options()
    options.parameters = parameters
    options.items = items
    options.viewport = viewport
    return try Workload(.steady, options).path(seed: 1, session: 0)
  }

  @Test func `an item gets visible when its edge enters`() throws {
    let path = try steady(["speed": 2, "seconds": 10])

    #expect(path.time(whenItemVisible: 0) == .zero)
    #expect(path.time(whenItemVisible: 6) == .zero)
    #expect(path.time(whenItemVisible: 7) == .zero)
    #expect(path.time(whenItemVisible: 8) == .zero + .milliseconds(500))
    #expect(path.time(whenItemVisible: 26) == .zero + .milliseconds(9500))
    #expect(path.time(whenItemVisible: 27) == nil)
    #expect(path.itemsSeen == 27)
  }

  @Test func `the way back shows what was jumped over`() throws {
    let path = try steady(["speed": -2, "seconds": 10, "first": 30])

    #expect(path.time(whenItemVisible: 29) == .zero)
    #expect(path.time(whenItemVisible: 28) == .zero + .milliseconds(500))
    #expect(path.viewport(at: path.end) == Viewport(firstVisible: 10, lastVisible: 16))
  }

  @Test func `nobody scrolls past the end`() throws {
    let path = try steady(["speed": 5, "seconds": 60], items: 100)

    #expect(path.end.seconds == 60)
    #expect(path.viewport(at: path.end).lastVisible == 99)
    #expect(path.time(whenItemVisible: 99)?.seconds == 18.4)
    #expect(try steady(["speed": 5], items: 3).steps.allSatisfy { $0.viewport.firstVisible == 0 })
  }

  @Test func `a fractional viewport shows parts of items`() throws {
    let path = try steady(["speed": 1, "seconds": 2], viewport: 2.5)

    let seen = path.steps.map {
      "\($0.at.seconds) \($0.viewport.firstVisible)-\($0.viewport.lastVisible)"
    }

    #expect(seen == ["0.0 0-2", "0.5 0-3", "1.0 1-3", "1.5 1-4", "2.0 2-4"])
  }

  @Test(arguments: WorkloadKind.allCases.filter { $0 != .trace }, [1.0, 7, 3.3])
  func `steps, viewports and times of items tell one story`(kind: WorkloadKind, viewport: Double)
    throws
  {
    var options = Workload.Options()
    options.viewport = viewport
    options.items = 900
    let workload = try Workload(kind, options)
    for session in 0..<12 {
      let path = workload.path(seed: 11, session: session)
      let steps = Array(path.steps)
      var seen: [Int: Instant] = [:]
      for step in steps {
        for item in step.visible ?? 0...0 where seen[item] == nil { seen[item] = step.at }
      }

      #expect(
        zip(steps, steps.dropFirst()).allSatisfy { $0.at <= $1.at }, "seed 11, session \(session)")
      #expect(seen.keys.allSatisfy { 0..<900 ~= $0 }, "session \(session)")
      for (step, next) in zip(steps, steps.dropFirst())
      where next.at.seconds - step.at.seconds > 1e-4 {
        let middle = Instant(nanoseconds: (step.at.nanoseconds + next.at.nanoseconds) / 2)
        let viewport = path.viewport(at: middle)
        #expect(
          viewport.firstVisible == step.viewport.firstVisible,
          "session \(session) at \(middle.seconds)")
        #expect(
          viewport.lastVisible == step.viewport.lastVisible,
          "session \(session) at \(middle.seconds)")
      }
    }
  }
}
