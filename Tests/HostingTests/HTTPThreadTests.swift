import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Requests go on while the loop's thread is busy.
@Suite struct HTTPThreadTests {
  @Test func `a request is sent while the program that asked for it still works`() {
    let server = ScriptedServer(.answer(body: "a"), .answer(body: "b"))
    var bodies: [String?] = []
    var wasSent = false

    LiveLoop.permissive().run(
      ClosureProgram { event, _ in
        switch event {
        case .started:
          return ["/a", "/b"].enumerated().map {
            .call(HostCallID(number: $0.offset), .http(HTTPRequest(url: server.url($0.element))))
          }
        case .replied(_, let reply):
          bodies.append(reply.response?.body.string)
          if bodies.count == 1 { wasSent = Self.comes { server.requests.count == 2 } }
          return bodies.count == 2 ? [.finished] : []
        default: return []
        }
      })

    #expect(wasSent)
    #expect(Set(bodies) == ["a", "b"])
  }

  @Test func `what is cancelled has no answer, and what is beside it has its own`() {
    let server = ScriptedServer(.sendAndHang(Data()), .answer(body: "b"))
    let (hanging, other, moment) = (HostCallID(number: 1), HostCallID(number: 2), HostCallID(number: 3))
    var replies: [HostCallID] = []

    LiveLoop.permissive().run(
      ClosureProgram { event, _ in
        guard case .replied(let id, _) = event else {
          return [.call(hanging, .http(HTTPRequest(url: server.url("/a")))), .call(moment, .sleep(.zero))]
        }
        replies.append(id)
        guard id == moment else { return [.finished] }
        #expect(Self.comes { server.requests.count == 1 })
        return [.cancel(hanging), .call(other, .http(HTTPRequest(url: server.url("/b"))))]
      })

    #expect(replies == [moment, other])
  }

  @Test func `a world that is finished does not wait for answers`() {
    let server = ScriptedServer(.sendAndHang(Data()))
    let world = World(permissions: .all, target: Nowhere())
    LiveLoop(world: world).run(
      ClosureProgram { event, _ in
        guard case .started = event else { return [] }
        return [.call(HostCallID(number: 1), .http(HTTPRequest(url: server.url()))), .finished]
      })

    world.finish()
  }

  @Test func `a body is parsed on its way if it is expected to be JSON, is some, and long enough`() throws {
    let list = "[" + (0..<200).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    for (body, expects, isParsed) in [
      (list, true, true), (list, false, false), (list + "]", true, false), ("[1]", true, false),
    ] {
      let server = ScriptedServer(.answer(body: body))
      var request = HTTPRequest(url: server.url())
      request.expectsJSON = expects

      let response = try #require(LiveLoop.permissive().perform(.http(request)).response)

      #expect(response.body.string == body)
      #expect((response.json.index != nil) == isParsed)
    }
  }

  /// The loop drives them while it waits, a thread while it is busy: so they change hands all the time.
  @Test(arguments: 1...4) func `however busy a loop is, each of its requests is answered once`(seed: UInt64) {
    let count = 200
    let server = ScriptedServer(.init(repeating: .answer(body: "a"), count: count))
    var random = SeededGenerator(seed: seed)
    var (asked, replies, cancelled) = (0, [Int: Int](), Set<Int>())

    LiveLoop.permissive().run(
      ClosureProgram { event, _ in
        if case .replied(let id, _) = event { replies[id.number, default: 0] += 1 }
        // Mostly it is soon done, at times it computes for longer than a thread waits before it looks after them.
        usleep(Int.random(in: 0..<20, using: &random) == 0 ? 30_000 : .random(in: 0..<1500, using: &random))
        var effects: [ProgramEffect] = []
        while asked < count, asked - replies.count - cancelled.count < 8 {
          effects.append(
            .call(HostCallID(number: asked), .http(HTTPRequest(url: server.url("/\(asked)")))))
          asked += 1
        }
        let open = (0..<asked).filter { replies[$0] == nil && !cancelled.contains($0) }
        if let victim = open.last, Int.random(in: 0..<10, using: &random) == 0 {
          cancelled.insert(victim)
          effects.append(.cancel(HostCallID(number: victim)))
        }
        return replies.count + cancelled.count == count ? effects + [.finished] : effects
      })

    #expect(replies.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    #expect(cancelled.isDisjoint(with: replies.keys), "seed \(seed)")
    #expect(replies.count + cancelled.count == count, "seed \(seed)")
  }

  /// Waits for it, ten seconds at the most.
  private static func comes(_ condition: () -> Bool) -> Bool {
    for _ in 0..<10_000 where !condition() { usleep(1000) }
    return condition()
  }
}
