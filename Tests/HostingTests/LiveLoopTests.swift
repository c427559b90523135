import Foundation
import Hosting
import Items
import Paging
import Synchronization
import Testing

@Suite struct LiveLoopTests {
  @Test func `sleeps end in the order of their times, equal ones in the order asked`() {
    var ended: [Int] = []
    let durations = [3, 1, 2, 1, 1].map { Duration.milliseconds($0 * 10) }
    let calls = durations.enumerated().map { ProgramEffect.call(HostCallID(number: $0), .sleep($1)) }

    LiveLoop.permissive().run(
      ClosureProgram { event, now in
        guard case .replied(let id, .done) = event else { return calls }
        #expect(now >= .zero + durations[id.number])
        ended.append(id.number)
        return ended.count == 5 ? [.finished] : []
      })

    #expect(ended == [1, 3, 4, 2, 0])
  }

  @Test func `no time at all passes for a sleep of nothing`() {
    #expect(LiveLoop.permissive().perform([.sleep(.zero), .sleep(.seconds(-1))]) == [.done, .done])
  }

  @Test func `the newest wake holds and the others are forgotten`() {
    var wakes: [Instant] = []

    LiveLoop.permissive().run(
      ClosureProgram { event, now in
        switch event {
        case .started:
          return [
            .wake(at: Instant(nanoseconds: 1_000_000)), .wake(at: Instant(nanoseconds: 20_000_000)),
            .wake(at: Instant(nanoseconds: 10_000_000)),
            .call(HostCallID(number: 1), .sleep(.milliseconds(30))),
          ]
        case .woke:
          wakes.append(now)
          return []
        case .replied, .interrupted, .called, .calledOff, .dismissed: return [.finished]
        }
      })

    #expect(wakes.count == 1)
    #expect(wakes[0] >= Instant(nanoseconds: 10_000_000))
  }

  @Test func `a cancelled call is never answered`() {
    let server = ScriptedServer(.sendAndHang(Data()))
    let late = LateTarget()
    let loop = LiveLoop(world: World(permissions: .all, target: late))
    var replied: [HostCallID] = []

    loop.run(
      ClosureProgram { event, _ in
        switch event {
        case .started:
          return [
            .call(HostCallID(number: 1), .sleep(.milliseconds(1))),
            .call(HostCallID(number: 2), .http(HTTPRequest(url: server.url(), timeout: .milliseconds(5)))),
            .call(HostCallID(number: 3), .emit(Delivery(items: []))),
            .call(HostCallID(number: 4), .environment(name: "HOME")),
            .cancel(HostCallID(number: 1)), .cancel(HostCallID(number: 2)),
            .cancel(HostCallID(number: 3)), .cancel(HostCallID(number: 4)),
            .cancel(HostCallID(number: 99)),
            .call(HostCallID(number: 5), .sleep(.milliseconds(20))),
          ]
        case .replied(let id, _):
          if replied.isEmpty { late.answer() }
          replied.append(id)
          return id.number == 5 ? [.call(HostCallID(number: 6), .sleep(.milliseconds(1)))] : [.finished]
        case .woke, .interrupted, .called, .calledOff, .dismissed: return []
        }
      })

    #expect(replied.map(\.number) == [5, 6])
  }

  @Test func `thousands of cancelled sleeps leave the others in order`() {
    var ended: [Int] = []
    let calls = (0..<5000).map { number in
      ProgramEffect.call(HostCallID(number: number), .sleep(.microseconds(1000 + (number * 7919) % 5000)))
    }
    let wanted = (0..<5000).filter { $0 % 50 == 0 }
    let cancels = (0..<5000).filter { $0 % 50 != 0 }.map { ProgramEffect.cancel(HostCallID(number: $0)) }

    LiveLoop.permissive().run(
      ClosureProgram { event, _ in
        guard case .replied(let id, _) = event else { return calls + cancels }
        ended.append(id.number)
        return ended.count == wanted.count ? [.finished] : []
      })

    #expect(ended.sorted() == wanted)
  }

  @Test func `answers from other threads reach the program on its own`() {
    let target = WorkerTarget()
    let loop = LiveLoop(world: World(permissions: .all, target: target))

    let replies = loop.perform((0..<100).map { _ in .emit(Delivery(items: [])) })

    #expect(replies == (1...100).map { .count($0) })
  }

  @Test func `calls under way are answered in any order`() {
    let server = ScriptedServer(
      .answer(body: "a"), .answer(body: "b"), .answer(body: "c"), .answer(body: "d"))
    var bodies: Set<String> = []

    LiveLoop.permissive().run(
      ClosureProgram { event, _ in
        guard case .replied(_, let reply) = event else {
          return (0..<4).map { .call(HostCallID(number: $0), .http(HTTPRequest(url: server.url()))) }
        }
        bodies.insert(reply.response?.body.string ?? "")
        return bodies.count == 4 ? [.finished] : []
      })

    #expect(bodies == ["a", "b", "c", "d"])
  }

  @Test func `a program that is finished hears nothing more`() {
    var events = 0

    LiveLoop.permissive().run(
      ClosureProgram { _, _ in
        events += 1
        return [
          .wake(at: .zero), .call(HostCallID(number: 1), .sleep(.zero)), .finished,
          .call(HostCallID(number: 2), .sleep(.zero)),
        ]
      })

    #expect(events == 1)
  }

  @Test func `another program may run, and answers to the first do not reach it`() {
    let late = LateTarget()
    let loop = LiveLoop(world: World(permissions: .all, target: late))
    loop.run(
      ClosureProgram { _, _ in [.call(HostCallID(number: 1), .emit(Delivery(items: []))), .finished] })
    let before = loop.now
    late.answer()

    var replies: [HostReply] = []
    loop.run(
      ClosureProgram { event, now in
        #expect(now >= before)
        guard case .replied(_, let reply) = event else {
          return [.call(HostCallID(number: 1), .sleep(.milliseconds(5)))]
        }
        replies.append(reply)
        return [.finished]
      })

    #expect(replies == [.done])
  }

  @Test func `blocks of other threads run on the thread of the loop, which they wake`() {
    let loop = LiveLoop.permissive()
    let worker = Worker(name: "test")
    let mailbox = loop.mailbox
    let thread = Mutex<UInt?>(nil)
    var turns = 0
    loop.onTurn = { _ in
      turns += 1
      guard turns == 1 else { return nil }
      worker.submit {
        mailbox.post {
          thread.withLock { $0 = currentThread() }
          mailbox.interrupt()
        }
      }
      return nil
    }

    loop.run(
      ClosureProgram { event, _ in
        if case .interrupted = event { return [.finished] }
        return [.call(HostCallID(number: 1), .sleep(.seconds(600)))]
      })

    #expect(thread.withLock { $0 } == currentThread())
    #expect(turns >= 1)
  }

  @Test func `a turn comes when it is asked for, though nothing happens`() {
    let loop = LiveLoop.permissive()
    let mailbox = loop.mailbox
    var asked: [Instant] = []
    loop.onTurn = { now in
      if let last = asked.last, now >= last { mailbox.interrupt() }
      if asked.isEmpty { asked.append(now + .milliseconds(5)) }
      return asked.last
    }

    loop.run(
      ClosureProgram { event, _ in
        if case .interrupted = event { return [.finished] }
        return [.call(HostCallID(number: 1), .sleep(.seconds(600)))]
      })

    #expect(asked.count == 1)
  }

  @Test func `a signal is told to the program once`() {
    let loop = LiveLoop(world: World(permissions: .all, target: Nowhere()), catchesSignals: true)
    var interrupts = 0

    loop.run(
      ClosureProgram { event, _ in
        switch event {
        case .started:
          interruptThisProcess()
          return []
        case .interrupted:
          interrupts += 1
          return [.call(HostCallID(number: 1), .sleep(.milliseconds(5)))]
        case .replied, .woke, .called, .calledOff, .dismissed: return [.finished]
        }
      })

    #expect(interrupts == 1)
  }

  @Test func `the environment is read as far as it is granted`() {
    let permissions = Permissions(environment: Access(.only(["PATH", "NOT_THERE_AT_ALL"])))
    let loop = LiveLoop(world: World(permissions: permissions, target: Nowhere()))

    let replies = loop.perform(["PATH", "NOT_THERE_AT_ALL", "HOME"].map { .environment(name: $0) })

    guard case .text(let path?) = replies[0] else { return #expect(Bool(false), "\(replies[0])") }
    #expect(path.contains("/"))
    #expect(replies[1] == .text(nil))
    #expect(replies[2].failure?.needs == "--allow-env=HOME")
  }
}
