import Items
import Paging

/// Hands everything on to another program, and writes it down as lines.
final class TracedProgram: Program {
  private let program: any Program
  private(set) var lines: [String] = []

  init(_ program: any Program) { self.program = program }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    let effects = program.handle(event, at: now)
    lines.append("\(now.seconds) \(event.line)")
    lines += effects.map { "  " + $0.line }
    return effects
  }
}

extension ProgramEvent {
  fileprivate var line: String {
    switch self {
    case .started: "started"
    case .replied(let id, let reply): "replied \(id.number) \(reply.line)"
    case .woke: "woke"
    case .interrupted: "interrupted"
    case .called(let id, let call): "called \(id.number) \(call.line)"
    case .calledOff(let id): "called off \(id.number)"
    case .dismissed: "dismissed"
    }
  }
}

extension ProgramEffect {
  fileprivate var line: String {
    switch self {
    case .call(let id, let call): "call \(id.number) \(call.line)"
    case .cancel(let id): "cancel \(id.number)"
    case .answer(let id, let reply): "answer \(id.number) \(reply.line)"
    case .wake(let at): "wake at \(at.seconds)"
    case .dismiss: "dismiss"
    case .finished: "finished"
    }
  }
}

extension HostCall {
  /// The call in one line.
  var line: String {
    switch self {
    case .http(let request):
      ([request.method, request.url] + request.headers.map { "\($0.name): \($0.value)" }).joined(
        separator: " ")
        + (request.body.map { " " + $0.string } ?? "")
    case .emit(let delivery):
      "emit \(delivery.stream ?? "-") " + delivery.items.map(\.bytes.string).joined(separator: " ")
    case .sleep(let duration): "sleep \(duration.inSeconds)"
    default: "\(self)"
    }
  }
}

extension HostReply {
  fileprivate var line: String {
    switch self {
    case .response(let response): "\(response.status) \(response.body.string)"
    case .failed(let failure): "failed \(failure.code.rawValue) \(failure.message)"
    case .bytes(let bytes): bytes.string
    case .rows(let rows, let isEnd): "\(rows.text.string) \(isEnd)"
    case .page(let page): page.elements.text.string
    case .lines(let lines, let isEnd): "\(lines.map(\.string)) \(isEnd)"
    case .done, .handle, .count, .flag, .names, .text, .begun, .step: "\(self)"
    }
  }
}
