import Items
import Paging

/// What happened to a workflow until its script returned: whoever handles the same events becomes the same.
public struct WorkflowBeginning: Sendable {
  struct Call: Equatable, Sendable {
    let id: HostCallID
    let call: HostCall
  }

  /// Nothing has happened.
  public init() {}

  private(set) var events: [(event: ProgramEvent, at: Instant)] = []
  private var called: [Call] = []
  /// The last number given when the script returned.
  var lastNumber = 0
  /// Whether all of it is still known: what is too long is let go.
  private(set) var isHeld = true
  private var bytes = 0

  private static let most = (events: 10_000, bytes: 64 << 20)

  /// What the script had asked the outside for when it returned.
  var calls: [Call] { called.filter { $0.id.number <= lastNumber } }

  /// What effects ask the outside for, but for what the sink is given.
  static func calls(in effects: [ProgramEffect]) -> [Call] {
    effects.compactMap { effect in
      switch effect {
      case .call(_, .emit), .cancel, .wake, .answer, .dismiss, .finished: nil
      case .call(let id, let call): Call(id: id, call: call)
      }
    }
  }

  mutating func note(_ event: ProgramEvent, at now: Instant) {
    guard isHeld else { return }
    events.append((event, now))
    if case .replied(_, let reply) = event { bytes += Self.size(of: reply) }
    if events.count > Self.most.events || bytes > Self.most.bytes { letGo() }
  }

  mutating func note(_ effects: [ProgramEffect]) {
    if isHeld { called += Self.calls(in: effects) }
  }

  /// The bytes that a reply holds, but for a few.
  private static func size(of reply: HostReply) -> Int {
    switch reply {
    case .response(let response): response.json.size
    case .bytes(let bytes): bytes.count
    case .rows(let rows, _): rows.size
    case .lines(let lines, _): lines.reduce(0) { $0 + $1.count }
    case .page(let page): page.elements.size
    case .done, .handle, .count, .flag, .names, .text, .begun, .step, .failed: 0
    }
  }

  private mutating func letGo() {
    isHeld = false
    (events, called) = ([], [])
  }
}
