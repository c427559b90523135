import Foundation
import Hosting
import Items
import Paging
import Synchronization

/// Keeps one answer for the thread that waits for it.
private final class Answer: Sendable {
  private let reply = Mutex<HostReply?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func give(_ answer: HostReply) {
    reply.withLock { $0 = answer }
    isThere.signal()
  }

  func wait() -> HostReply {
    isThere.wait()
    return reply.withLock { $0! }
  }
}

extension FileCalls {
  func answer(_ call: HostCall) -> HostReply {
    let answer = Answer()
    perform(call) { answer.give($0) }
    return answer.wait()
  }
}

extension DatabaseCalls {
  func answer(_ call: HostCall) -> HostReply {
    let answer = Answer()
    perform(call) { answer.give($0) }
    return answer.wait()
  }
}

extension DriverCalls {
  func answer(_ call: HostCall) -> HostReply {
    let answer = Answer()
    perform(call) { answer.give($0) }
    return answer.wait()
  }
}

extension Sink {
  /// Delivers items and waits for the answer.
  @discardableResult
  func answer(_ items: [Item], stream: String? = nil) -> HostReply {
    answer(Delivery(stream: stream, items: items))
  }

  /// Delivers and waits for the answer.
  @discardableResult
  func answer(_ delivery: Delivery) -> HostReply {
    let answer = Answer()
    deliver(delivery) { answer.give($0) }
    return answer.wait()
  }

  /// Begins a reading and waits for the answer.
  @discardableResult
  func answer(_ request: ReadingRequest) -> HostReply {
    let answer = Answer()
    begin(request) { answer.give($0) }
    return answer.wait()
  }
}

func item(_ id: Int64, _ json: String) -> Item { Item(id: .integer(id), bytes: Bytes(json)) }

func item(_ id: String, _ json: String) -> Item { Item(id: .text(id), bytes: Bytes(json)) }

extension HostReply {
  /// The handle, or one that was never given.
  var handle: Int {
    if case .handle(let handle) = self { handle } else { -1 }
  }

  var failure: HostFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  /// The text of `.bytes` and `.rows`.
  var text: String? {
    switch self {
    case .bytes(let bytes): bytes.string
    case .rows(let rows, _): rows.text.string
    default: nil
    }
  }
}
