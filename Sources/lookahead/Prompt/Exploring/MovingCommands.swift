import Paging
import Scripting
import Simulation
import Terminal
import Text

/// What the reader of an exploration does.
enum MovingCommands {
  static func scroll(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    let argument = try ScrollArgument(text)
    let place = argument.place(in: explored.exploration)
    guard let duration = argument.duration else {
      return act(explored, session) { $0.scroll(to: place) }
    }
    plan(.glide(from: explored.exploration.viewport.firstVisible, to: place, in: duration), explored, session)
  }

  static func fling(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    guard let velocity = text.isEmpty ? 30 : Double(text), velocity.isFinite, velocity != 0,
      abs(velocity) <= 1e5
    else {
      throw PromptFault(":fling expects items per second, as 60 or -60, got \(text)")
    }
    let exploration = explored.exploration
    plan(
      .fling(from: exploration.viewport.firstVisible, velocity: velocity, lastPlace: exploration.lastPlace),
      explored, session)
  }

  static func replay(_ session: PromptSession, _ path: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    guard !path.isEmpty else { throw PromptFault(":replay expects a file that browse --record has written") }
    let text = try FileCommands.text(of: path, for: "replay")
    let trace: ViewportTrace
    do throws(TraceTextError) {
      trace = try ViewportTrace(text: text)
    } catch {
      throw PromptFault("\(path):\(error.line): expected \(error.expected), found \(error.found.printable)")
    }
    let moves = trace.path.steps.map { step in
      ReaderMoves.Move(
        after: step.at - .zero, place: step.viewport.firstVisible, velocity: step.viewport.velocity)
    }
    plan(ReaderMoves(moves), explored, session)
  }

  static func fetch(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    guard let side = text.isEmpty ? .append : Direction(rawValue: text), side != .refresh else {
      throw PromptFault(":fetch expects append or prepend, got \(text)")
    }
    var refusal: FetchRefusal?
    let before = explored.exploration.position
    session.workflow.exploring.prepareToDecide()
    refusal = explored.exploration.fetch(side)
    if let refusal { throw RefusalText.fault(refusal, side, explored.exploration) }
    show(explored, from: before + 1, session)
  }

  static func refresh(_ session: PromptSession) throws(PromptFault) {
    act(try session.exploredOrFault(), session) { $0.refresh() }
  }

  static func retry(_ session: PromptSession) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    guard explored.exploration.feed.hasFailed else {
      throw PromptFault("nothing failed or stopped", hint: ":refresh has everything fetched again.")
    }
    act(explored, session) { $0.retry() }
  }

  /// Does it, and shows the result.
  static func act(
    _ explored: ExploredSession, _ session: PromptSession, _ body: (inout Exploration) -> Void
  ) {
    session.workflow.exploring.prepareToDecide()
    body(&explored.exploration)
    show(explored, from: explored.exploration.position, session)
  }

  /// Shows the moments from a number on, and the pending events.
  static func show(_ explored: ExploredSession, from first: Int, _ session: PromptSession) {
    let last = explored.exploration.position + 1
    if first < last {
      session.say(MomentTable(first..<last, of: explored.exploration, session).long)
    }
    session.say(NextText(exploration: explored.exploration).text, .dim)
  }

  private static func plan(_ moves: ReaderMoves, _ explored: ExploredSession, _ session: PromptSession) {
    explored.exploration.plan(moves)
    let count = moves.moves.count
    let end = (moves.moves.last?.place ?? 0) + 1
    session.say(
      "\(count) move\(count == 1 ? "" : "s") in \(MomentText.milliseconds(moves.span)), to item \(end)"
        + " (:run lets them happen, :step one)")
  }
}

/// Why no page can be fetched by hand, in words.
enum RefusalText {
  static func fault(_ refusal: FetchRefusal, _ side: Direction, _ exploration: Exploration) -> PromptFault {
    let end = side == .prepend ? "before the first item" : "behind the last item"
    return switch refusal {
    case .exhausted: PromptFault("nothing comes \(end): that side is exhausted")
    case .gaveUp(let failure):
      PromptFault("that side gave up: \(failure.shown)", hint: ":retry tries it again.")
    case .stopped(.fruitless(let fetches)):
      PromptFault(
        "that side was stopped: \(fetches) fetches in a row brought nothing new",
        hint: ":retry tries it again.")
    case .stopped(.pageLimit(let pages)): PromptFault("that side was stopped after \(pages) pages")
    case .waitsForRetry(let failure, let at):
      PromptFault(
        "the page failed and will be retried in \(MomentText.milliseconds(at - exploration.now)): "
          + failure.shown, hint: ":step goes there, :retry tries it now.")
    case .busy(let inFlight):
      PromptFault(
        "\(inFlight) page\(inFlight == 1 ? " is" : "s are") in flight, which is the maximum",
        hint: ":step lets one come.")
    case .full(let items):
      PromptFault("\(items) items are held, which is as many as may be (maxItems)")
    case .refreshing: PromptFault("a refresh is in progress", hint: ":step lets its first page come.")
    }
  }
}
