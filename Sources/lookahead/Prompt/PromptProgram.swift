import Paging
import Scripting
import Text

/// A workflow with an interactive prompt: lines in, answers out, around the events and effects of a normal run.
final class PromptProgram: Program {
  private let session: PromptSession
  private let workflow: Workflow
  /// Makes the loop watch the descriptor while a line is wanted.
  private let listen: (Int32?) -> Void
  private var isAsking = false
  private var isOver = false
  private var wakeOfInner: Instant?
  private var progress = PromptProgress()

  /// Maximum lines of a pipe run in one turn, so that signals are handled.
  private static let linesPerTurn = 64

  init(_ session: PromptSession, listen: @escaping (Int32?) -> Void) {
    self.session = session
    workflow = session.workflow
    self.listen = listen
  }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    var effects: [ProgramEffect] = []
    if case .interrupted = event {
      effects += send(interrupt() ? .interrupted : .woke, at: now)
    } else {
      effects += send(event, at: now)
    }
    var turns = 0
    while !isOver, turns < Self.linesPerTurn {
      turns += 1
      // A signal between two lines of a pipe ends it before the next one, or with it.
      if !session.console.isLive, !session.isBusy, workflow.hasBeenInterrupted { session.leaveInterrupted() }
      session.advance()
      if session.consumeWake() {
        effects += send(.woke, at: now)
      } else if !session.isIdle || !read() {
        break
      }
    }
    guard !isOver else {
      listen(nil)
      session.console.show(status: nil)
      return effects
    }
    session.console.refresh()
    listen(session.isIdle ? session.console.descriptor : nil)
    if let wake = wake(at: now, hasMore: turns == Self.linesPerTurn) { effects.append(.wake(at: wake)) }
    return effects
  }

  /// Asks for a line, and handles it if available; false if there is none yet.
  private func read() -> Bool {
    if !isAsking {
      isAsking = true
      session.console.ask(session.prompt, text: session.nextText)
      session.nextText = ""
    }
    guard let input = session.console.next() else { return false }
    isAsking = false
    session.handle(input)
    return true
  }

  /// Ctrl-C: stops what is running, or else discards the typed text. Without a user it ends the session.
  ///
  /// False if the signal itself has already stopped a line.
  private func interrupt() -> Bool {
    guard session.console.isLive, !session.isAskedToEnd() else {
      session.leaveInterrupted()
      return true
    }
    if session.consumeSignal() { return false }
    if session.isBusy || !session.units.isEmpty {
      session.stop()
    } else if isAsking {
      session.splitter = InputSplitter()
      session.console.interrupt()
      isAsking = false
    }
    return true
  }

  /// Sends the workflow an event; keeps its wake time, since the prompt has its own.
  private func send(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    if case .woke = event, let wake = wakeOfInner, wake <= now { wakeOfInner = nil }
    return workflow.handle(event, at: now).filter { effect in
      switch effect {
      case .wake(let time):
        wakeOfInner = time
        return false
      case .finished:
        isOver = true
        return true
      case .call, .cancel, .answer, .dismiss: return true
      }
    }
  }

  private func wake(at now: Instant, hasMore: Bool) -> Instant? {
    var times = [wakeOfInner].compactMap { $0 }
    if hasMore { times.append(now) }
    if let patience = session.console.patience { times.append(now + .seconds(patience)) }
    if session.isBusy, session.console.isLive, let began = session.began {
      session.console.show(status: progress.text(workflow.statistics, since: began, at: now))
      times.append(progress.next(since: began.at, at: now))
    }
    return times.min()
  }
}

/// The progress shown above the prompt while a line waits.
struct PromptProgress {
  /// Lines faster than this show nothing.
  private static let patience = Duration.milliseconds(200)
  private static let pause = Duration.milliseconds(100)

  /// When there is something new to show.
  func next(since began: Instant, at now: Instant) -> Instant {
    max(began + Self.patience, now + Self.pause)
  }

  /// Nil while not worthwhile.
  func text(_ statistics: Statistics, since began: (at: Instant, statistics: Statistics), at now: Instant)
    -> String?
  {
    guard now - began.at >= Self.patience else { return nil }
    let before = began.statistics
    var parts: [String] = []
    if statistics.inFlight > 0 { parts.append("\(statistics.inFlight) in flight") }
    add(statistics.requests - before.requests, "request", to: &parts)
    add(statistics.pages - before.pages, "page", to: &parts)
    add(statistics.items - before.items, "item", to: &parts)
    let retries = statistics.retries - before.retries
    if retries > 0 { parts.append(retries == 1 ? "1 retry" : "\(retries) retries") }
    parts.append(Amount.duration((now - began.at).inSeconds))
    return "waiting: " + parts.joined(separator: " · ") + " (Ctrl-C stops it)"
  }

  private func add(_ count: Int, _ word: String, to parts: inout [String]) {
    if count > 0 { parts.append("\(Amount.count(count)) \(word)\(count == 1 ? "" : "s")") }
  }
}
