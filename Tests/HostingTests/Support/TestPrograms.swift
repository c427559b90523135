import Hosting
import Items
import Paging

/// A program that is a closure.
final class ClosureProgram: Program {
  private let body: (ProgramEvent, Instant) -> [ProgramEffect]

  init(_ body: @escaping (ProgramEvent, Instant) -> [ProgramEffect]) { self.body = body }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] { body(event, now) }
}

/// Takes everything and keeps nothing.
struct Nowhere: DeliveryTarget {
  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? { .done }
}

extension LiveLoop {
  /// A loop that may do everything.
  static func permissive() -> LiveLoop { LiveLoop(world: World(permissions: .all, target: Nowhere())) }

  /// Makes the calls one after the other and returns their replies.
  func perform(_ calls: [HostCall]) -> [HostReply] {
    var replies: [HostReply] = []
    func next() -> [ProgramEffect] {
      guard replies.count < calls.count else { return [.finished] }
      return [.call(HostCallID(number: replies.count), calls[replies.count])]
    }
    run(
      ClosureProgram { event, _ in
        if case .replied(_, let reply) = event { replies.append(reply) }
        return next()
      })
    return replies
  }

  /// The reply to one call.
  func perform(_ call: HostCall) -> HostReply { perform([call])[0] }
}

extension HostReply {
  /// The answer of an HTTP exchange.
  var response: HTTPResponse? {
    if case .response(let response) = self { response } else { nil }
  }
}
