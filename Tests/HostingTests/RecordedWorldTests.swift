import Hosting
import Items
import Paging
import Testing

@Suite struct RecordedWorldTests {
  private static let header = RecordingHeader(script: "feed.lua", scriptDigest: "", seed: 1, startedAt: 0)

  private func get(_ path: String, headers: [HTTPHeader] = []) -> HostCall {
    .http(HTTPRequest(url: "http://x/\(path)", headers: headers))
  }

  private func page(_ text: String) -> HostReply {
    .response(HTTPResponse(status: 200, body: Bytes(text), url: "http://x/"))
  }

  /// The calls are asked at zero; each is answered after as many seconds as its place says, in the order given.
  private func world(
    _ calls: [(HostCall, HostReply)], order: [Int]? = nil, isWhole: Bool = true,
    deliver: @escaping (Delivery) -> HostReply = { _ in .done }
  ) throws -> RecordedWorld {
    let program = AskingProgram(calls.enumerated().map { (HostCallID(number: $0.offset), $0.element.0) })
    let order = order ?? Array(calls.indices)
    program.after = Array(repeating: [], count: order.count - 1) + [isWhole ? [.finished] : []]
    let recording = try record(program, header: Self.header) { recorder in
      for (place, number) in order.enumerated() {
        _ = recorder.handle(
          .replied(HostCallID(number: number), calls[number].1), at: .zero + .seconds(place + 1))
      }
    }
    return RecordedWorld(recording, deliver: deliver)
  }

  @Test func `a call gets the answer that it got, after as long a time, whenever it is asked`() throws {
    let world = try world([(get("a"), page("A")), (get("b"), page("B"))])

    let b = world.answer(get("b"), at: .zero + .seconds(7))
    let a = world.answer(get("a"), at: .zero + .seconds(8))

    #expect(a.reply == page("A") && a.after == .seconds(1))
    #expect(b.reply == page("B") && b.after == .seconds(2))
  }

  @Test func `equal calls get their answers in the order in which they were asked`() throws {
    let world = try world(
      [(get("a"), page("1")), (get("a"), page("2")), (get("a"), page("3"))], order: [2, 0, 1])

    let replies = (0..<3).map { _ in world.answer(get("a"), at: .zero).reply }

    #expect(replies == [page("1"), page("2"), page("3")])
  }

  @Test func `requests that differ in a header are not equal, in their limits or credentials they are`()
    throws
  {
    let plain = get("a", headers: [HTTPHeader("Range", "0"), HTTPHeader("Authorization", "Bearer one")])
    let world = try world([(plain, page("A"))])

    let other = world.answer(get("a", headers: [HTTPHeader("Range", "1")]), at: .zero).reply
    let same = HostCall.http(
      HTTPRequest(url: "http://x/a", headers: [HTTPHeader("Range", "0")], timeout: .seconds(1), maxBody: 7))

    #expect(other.failure?.code.rawValue == "notRecorded")
    #expect(world.answer(same, at: .zero).reply == page("A"))
  }

  @Test func `a call that was never recorded fails at once and is named`() throws {
    let world = try world([(get("a"), page("A"))])
    _ = world.answer(get("a"), at: .zero)

    let never = world.answer(get("b"), at: .zero)
    let again = world.answer(get("a"), at: .zero)

    #expect(
      never.reply.failure?.message
        == "the recording has no answer to GET http://x/b: the recorded run never asked; record the script again as it is"
    )
    #expect(again.reply.failure?.message.contains("the recorded run asked once") == true)
    #expect(never.reply.failure?.isTransient == false)
    #expect(never.after == .zero)
  }

  @Test func `after a cut nothing is told before the recording ends`() throws {
    let world = try world([(get("a"), page("A"))], isWhole: false)

    let missing = world.answer(get("b"), at: .zero + .milliseconds(300))

    #expect(missing.after == .milliseconds(700) + .nanoseconds(1))
    #expect(missing.reply.failure?.message.contains("was cut after 1.0 s") == true)
  }

  @Test func `a call that was given up is not answered before the run's end`() throws {
    let world = try world([(get("a"), page("A")), (get("b"), page("B"))], order: [1])

    let dropped = world.answer(get("a"), at: .zero)

    #expect(dropped.after == .seconds(1) + .nanoseconds(1))
    #expect(dropped.reply.failure?.message.contains("gave it up") == true)
  }

  @Test func `a sleep takes as long as it took, and one that is new its own time`() throws {
    let world = try world([(.sleep(.milliseconds(900)), .done)])

    #expect(world.answer(.sleep(.milliseconds(900)), at: .zero).after == .seconds(1))
    #expect(world.answer(.sleep(.seconds(5)), at: .zero) == (.done, .seconds(5)))
  }

  @Test func `items go to the sink, and its answer counts`() throws {
    let item = Item(id: .integer(1), bytes: Bytes("{}"))
    let delivery = HostCall.emit(Delivery(items: [item]))
    var taken: [Int] = []
    let failure = HostFailure(.io, "the disk is full")
    let world = try world([(delivery, .done), (delivery, .done)]) { delivery in
      taken.append(delivery.items.count)
      return taken.count == 2 ? .failed(failure) : .done
    }

    let first = world.answer(.emit(Delivery(stream: "b", items: [item, item])), at: .zero)
    let second = world.answer(delivery, at: .zero)
    let third = world.answer(delivery, at: .zero)

    #expect(taken == [2, 1, 1])
    #expect(first == (.done, .seconds(1)))
    #expect(second == (.failed(failure), .seconds(2)))
    #expect(third == (.done, .zero))
  }

  @Test func `handles lead to the rows that were read`() throws {
    let world = try world([
      (.openLines(path: "a"), .handle(1)), (.openLines(path: "b"), .handle(3)),
      (.nextLines(handle: 3, limit: 10), .lines([Bytes("x")], isEnd: true)),
    ])

    #expect(world.answer(.openLines(path: "b"), at: .zero).reply == .handle(3))
    #expect(
      world.answer(.nextLines(handle: 3, limit: 10), at: .zero).reply == .lines([Bytes("x")], isEnd: true))
    #expect(world.answer(.close(handle: 3), at: .zero).reply == .done)
  }

  @Test func `a wake comes as late as it came, and one that was overtaken does not come before`() throws {
    let program = AskingProgram([])
    let one = Instant.zero + .seconds(1)
    let two = Instant.zero + .seconds(2)
    program.after = [[.wake(at: one)], [.wake(at: two)], [.wake(at: two + .seconds(1))], [.finished]]
    let recording = try record(program, header: Self.header) { recorder in
      _ = recorder.handle(.interrupted, at: .zero)
      _ = recorder.handle(.woke, at: one + .microseconds(80))
      _ = recorder.handle(.interrupted, at: two + .microseconds(5))
      _ = recorder.handle(.interrupted, at: two + .microseconds(9))
    }

    let world = RecordedWorld(recording)

    #expect(world.wake(at: one, asked: .zero) == one + .microseconds(80))
    #expect(world.wake(at: two, asked: one) == two + .microseconds(5) + .nanoseconds(1))
    #expect(world.wake(at: one + .milliseconds(1), asked: one) == one + .milliseconds(1))
    #expect(recording.interruptions.count == 3)
  }
}
