import Paging

/// A copy of a loop's program on a thread of its own: it only computes there; its calls are letters to the loop, and their
/// answers come back as events.
final class CopyThread: Sendable {
  private struct Inbox: Sendable {
    var events: [ProgramEvent] = []
    var stop: (@Sendable () -> Void)?

    mutating func takeEvents() -> [ProgramEvent] {
      defer { events = [] }
      return events
    }
  }

  private let number: Int
  private let start: Instant
  private let mailbox: Mailbox
  private let inbox = Monitor(Inbox())
  private let worker: Worker

  /// Starts the thread and makes the copy there; times are counted from the start.
  init(
    _ number: Int, since start: Instant, _ mailbox: Mailbox,
    _ make: @escaping @Sendable (Int) throws -> ProgramCopies.Copy
  ) {
    self.number = number
    self.start = start
    self.mailbox = mailbox
    worker = Worker(name: "copy \(number)")
    worker.submit { [self] in
      if let copy = try? make(number) { run(copy) }
      mailbox.letters.leave(.effects([.finished], ofCopy: number))
    }
  }

  /// Sends the copy an event; any thread may.
  func send(_ event: ProgramEvent) {
    inbox.withLock { $0.events.append(event) }
    inbox.wakeAll()
  }

  /// Stops what the copy computes right now.
  func stop() { inbox.withLock { $0.stop }?() }

  /// Returns when the thread is gone.
  func finish() { worker.finish() }

  private var now: Instant { .zero + (Instant.ofThisMachine - start) }

  private func run(_ copy: ProgramCopies.Copy) {
    inbox.withLock { $0.stop = copy.stop }
    defer { inbox.withLock { $0.stop = nil } }
    var told = Instant.zero
    var wakeAt: Instant?
    while true {
      var events = nextEvents(until: wakeAt)
      if let time = wakeAt, time <= now {
        wakeAt = nil
        events.append(.woke)
      }
      for event in events {
        told = max(now, told + .nanoseconds(1))
        var effects: [ProgramEffect] = []
        for effect in copy.program.handle(event, at: told) {
          switch effect {
          case .wake(let time): wakeAt = time
          case .finished: return mailbox.letters.leave(.effects(effects, ofCopy: number))
          case .call, .cancel, .answer, .dismiss: effects.append(effect)
          }
        }
        if !effects.isEmpty { mailbox.letters.leave(.effects(effects, ofCopy: number)) }
      }
    }
  }

  /// What has come, as soon as there is something; nothing when it is time to wake.
  private func nextEvents(until time: Instant?) -> [ProgramEvent] {
    guard let time else {
      return inbox.wait { $0.events.isEmpty ? nil : $0.takeEvents() }
    }
    inbox.wait(upTo: max(.zero, min(time - now, .seconds(3600)))) { !$0.events.isEmpty }
    return inbox.withLock { $0.takeEvents() }
  }
}
