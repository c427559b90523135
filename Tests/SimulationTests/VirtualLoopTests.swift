import Paging
import Simulation
import Testing

@Suite struct VirtualLoopTests {
  @Test func `the clock jumps from one event to the next`() {
    let program = ScriptedProgram([.sleep(.seconds(3600)), .sleep(.milliseconds(1))])
    let loop = VirtualLoop { _, _ in nil }

    loop.run(program)

    #expect(program.heard == ["0.0 started", "0.001 replied 1", "3600.0 replied 0"])
    #expect(loop.now == .zero + .seconds(3600))
    #expect(loop.isFinished)
  }

  @Test func `replies at equal times keep the order of their calls`() {
    let program = ScriptedProgram((0..<20).map { .readFile(path: "\($0)") })
    let loop = VirtualLoop { call, _ in (.done, call == .readFile(path: "7") ? .zero : .seconds(1)) }

    loop.run(program)

    let order = [7] + (0..<20).filter { $0 != 7 }
    #expect(
      program.heard.dropFirst().map { $0.split(separator: " ").last.map(String.init) }
        == order.map { "\($0)" })
  }

  @Test func `the world is told the call and the time`() {
    let program = ScriptedProgram([.sleep(.seconds(5))])
    program.after = [0: [.call(HostCallID(number: 9), .readFile(path: "a"))]]
    var asked: [String] = []
    let loop = VirtualLoop { call, now in
      asked.append("\(now.seconds) \(call)")
      return (.flag(true), .seconds(2))
    }

    loop.run(program)

    #expect(asked == [#"5.0 readFile(path: "a")"#])
    #expect(program.heard.last == "7.0 replied 9")
  }

  @Test func `a reply that is no longer wanted is dropped`() {
    let program = ScriptedProgram([.sleep(.seconds(1)), .sleep(.seconds(2)), .sleep(.seconds(3))])
    program.after = [0: [.cancel(HostCallID(number: 1))]]
    let loop = VirtualLoop { _, _ in nil }

    loop.run(program)

    #expect(program.heard == ["0.0 started", "1.0 replied 0", "3.0 replied 2"])
  }

  @Test func `the newest wake holds`() {
    let program = ScriptedProgram([.sleep(.seconds(9))])
    program.first = [.wake(at: .zero + .seconds(1)), .wake(at: .zero + .seconds(4))]
    let loop = VirtualLoop { _, _ in nil }

    loop.run(program)

    #expect(program.heard == ["0.0 started", "4.0 woke", "9.0 replied 0"])
  }

  @Test func `a wake in the past comes at once`() {
    let program = ScriptedProgram([.sleep(.seconds(2))])
    program.after = [0: [.wake(at: .zero + .seconds(1)), .call(HostCallID(number: 5), .sleep(.zero))]]
    let loop = VirtualLoop { _, _ in nil }

    loop.run(program)

    #expect(program.heard == ["0.0 started", "2.0 replied 0", "2.0 woke", "2.0 replied 5"])
  }

  @Test func `calls that are never answered end the run unfinished`() {
    let program = ScriptedProgram([.readFile(path: "a"), .sleep(.seconds(1))])
    let loop = VirtualLoop { _, _ in nil }

    loop.run(program)

    #expect(program.heard == ["0.0 started", "1.0 replied 1"])
    #expect(!loop.isFinished)
    #expect(loop.now == .zero + .seconds(1))
  }

  @Test func `an interrupt comes at the time that was reached`() {
    let program = ScriptedProgram([.readFile(path: "a"), .sleep(.seconds(1))])
    let loop = VirtualLoop { _, _ in nil }
    loop.run(program)

    loop.send(.interrupted, to: program)
    loop.resume(program)

    #expect(program.heard.last == "1.0 interrupted")
    #expect(loop.isFinished)
  }

  @Test func `nothing is told to a program that has finished`() {
    let program = ScriptedProgram([.sleep(.seconds(1)), .sleep(.seconds(2))])
    program.after = [0: [.finished]]
    let loop = VirtualLoop { _, _ in nil }

    loop.run(program)

    #expect(program.heard == ["0.0 started", "1.0 replied 0"])
    #expect(loop.isFinished)
  }

  @Test func `a loop is as late as it is told to be`() {
    let program = ScriptedProgram([.sleep(.seconds(2))])
    program.first = [.wake(at: .zero + .seconds(1))]
    var punctuality = VirtualLoop.Punctuality()
    punctuality.start = .zero + .milliseconds(1)
    punctuality.sleep = { duration, now in (.done, duration + (now - .zero)) }
    punctuality.wake = { wanted, now in wanted + .milliseconds(250) + (now - .zero) }
    let loop = VirtualLoop(punctuality: punctuality) { _, _ in nil }

    loop.run(program)

    #expect(program.heard == ["0.001 started", "1.251 woke", "2.002 replied 0"])
  }

  @Test func `an interrupt that was planned comes at its time, before what else comes then`() {
    let program = ScriptedProgram([.sleep(.seconds(1)), .sleep(.seconds(2)), .sleep(.seconds(3))])
    let loop = VirtualLoop { _, _ in nil }
    var calls = 0
    loop.onInterruption = { calls += 1 }
    loop.interrupt(at: .zero + .seconds(9))
    loop.interrupt(at: .zero + .seconds(2))

    loop.run(program)

    #expect(program.heard == ["0.0 started", "1.0 replied 0", "2.0 interrupted"])
    #expect(calls == 1)
    #expect(loop.isFinished)
  }

  @Test func `an interrupt reaches a program that nothing else will`() {
    let program = ScriptedProgram([.readFile(path: "a")])
    let loop = VirtualLoop { _, _ in nil }
    loop.interrupt(at: .zero + .seconds(4))

    loop.run(program)

    #expect(program.heard == ["0.0 started", "4.0 interrupted"])
    #expect(loop.now == .zero + .seconds(4))
  }

  @Test func `many events come in order of time, whatever the order in which they were made`() {
    let order = (0..<1000).map { ($0 * 7919) % 1000 }
    let program = ScriptedProgram(order.map { .sleep(.milliseconds($0)) })
    let loop = VirtualLoop { _, _ in nil }

    loop.run(program)

    let times = program.heard.dropFirst().compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    #expect(times == times.sorted())
    #expect(times.count == 1000)
  }
}

/// Makes its calls at the start, numbered from 0, writes down what it is told, and is over when all are answered.
private final class ScriptedProgram: Program {
  private let calls: [HostCall]
  private var open: Set<Int> = []
  /// Effects of the start, before the calls.
  var first: [ProgramEffect] = []
  /// Effects of a reply, by its number.
  var after: [Int: [ProgramEffect]] = [:]
  private(set) var heard: [String] = []

  init(_ calls: [HostCall]) { self.calls = calls }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    heard.append("\(now.seconds) \(event.word)")
    var effects: [ProgramEffect] = []
    switch event {
    case .started:
      effects = first + calls.enumerated().map { .call(HostCallID(number: $0.offset), $0.element) }
    case .replied(let id, _):
      open.remove(id.number)
      effects = after[id.number] ?? []
    case .woke: break
    case .interrupted: open = []
    case .called, .calledOff, .dismissed: break
    }
    for effect in effects { note(effect) }
    return open.isEmpty ? effects + [.finished] : effects
  }

  private func note(_ effect: ProgramEffect) {
    switch effect {
    case .call(let id, _): open.insert(id.number)
    case .cancel(let id): open.remove(id.number)
    case .answer, .wake, .dismiss, .finished: break
    }
  }
}

extension ProgramEvent {
  fileprivate var word: String {
    switch self {
    case .started: "started"
    case .replied(let id, _): "replied \(id.number)"
    case .woke: "woke"
    case .interrupted: "interrupted"
    case .called: "called"
    case .calledOff: "called off"
    case .dismissed: "dismissed"
    }
  }
}
