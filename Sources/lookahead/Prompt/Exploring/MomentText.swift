import Items
import Paging
import Simulation
import Terminal
import Text

/// A moment of an exploration in words: the event and its consequences.
struct MomentText {
  let number: Int
  let moment: ExploredMoment
  /// The moment before it; nil for the first.
  let before: ExploredMoment?

  init(_ number: Int, of exploration: Exploration) {
    self.number = number
    moment = exploration.moments[number]
    before = number > 0 ? exploration.moments[number - 1] : nil
  }

  /// As `1.482 s`.
  var time: String { Self.seconds(moment.at) }

  static func seconds(_ instant: Instant) -> String {
    milliseconds(Duration.nanoseconds(instant.nanoseconds))
  }

  /// As `0.132 s`: three digits always, so that columns of them are aligned.
  static func milliseconds(_ duration: Duration) -> String {
    let whole = Amount.whole(duration.inSeconds * 1000)
    let fraction = String(whole % 1000)
    return "\(whole / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
  }

  var event: String {
    switch moment.cause {
    case .began: "begins: sees \(places(moment.viewport))"
    case .acted(let act): Self.text(act, sees: places(moment.viewport))
    case .planned(let moves): "\(moves) move\(moves == 1 ? "" : "s") to come"
    case .answered(let request, let news): "fetch \(request.id.number) \(Self.text(news))\(latency)"
    case .woke: "wakes"
    case .policy(let name): "policy \(name.printable)"
    case .waited: "time passes"
    }
  }

  /// The consequences, in order; decisions without effect are omitted.
  var consequences: [String] {
    var journal = Journal()
    for effect in moment.effects {
      switch effect {
      case .fetch(let request): journal.began(request, at: moment.at)
      case .note(.decided(let view, let verdict)):
        if Self.hasConsequence(verdict) { journal.note(.decided(view, verdict), at: moment.at) }
      // The event says it already.
      case .note(.landed): break
      case .note(let note): journal.note(note, at: moment.at)
      case .cancel, .wake, .apply, .shiftViewport, .prefetch, .removed, .delivered, .reached, .ended: break
      }
    }
    return journal.entries.map { $0.text.forPrompt + ($0.times > 1 ? " (\($0.times) times)" : "") } + stall
  }

  /// As ` in 0.132 s`; nothing where no page has landed.
  private var latency: String {
    for case .landed(_, _, let latency) in moment.notes { return " in \(Self.milliseconds(latency))" }
    return ""
  }

  private var stall: [String] {
    let waited = before?.isStalled ?? false
    if moment.isStalled, !waited { return ["the reader waits for items"] }
    return waited && !moment.isStalled ? ["the reader goes on"] : []
  }

  private static func hasConsequence(_ verdict: Verdict) -> Bool {
    verdict.isYes || verdict.cancel || verdict.wait != nil
  }

  /// From 1, as `41–50`.
  private func places(_ viewport: Viewport?) -> String {
    guard let viewport, viewport.lastVisible >= viewport.firstVisible else { return "nothing" }
    return "\(viewport.firstVisible + 1)–\(viewport.lastVisible + 1)"
  }

  private static func text(_ act: ReaderAct, sees: String) -> String {
    switch act {
    case .move(let viewport) where viewport.velocity == 0: "sees \(sees)"
    case .move(let viewport): "sees \(sees), \(speed(viewport.velocity))"
    case .fetch(let side): "\(side.rawValue) by hand"
    case .refresh: "refresh"
    case .retry: "tries again"
    }
  }

  /// As `35/s`.
  static func speed(_ velocity: Double) -> String {
    "\(velocity < 0 ? "-" : "")\(Amount.decimals(abs(velocity), 1))/s"
  }

  private static func text(_ event: Event) -> String {
    switch event {
    case .appended(_, let items, _): "brings \(count(items.count))"
    case .answered(_, .page(let page)): "answers: \(count(page.contents.items.count))"
    case .answered(_, .completed(let more, _, _)): more ? "completes" : "completes, and it was the last"
    case .answered(_, .failed(let failure)): "fails: \(failure.shown)"
    default: "answers"
    }
  }

  private static func count(_ items: Int) -> String { "\(items) item\(items == 1 ? "" : "s")" }
}

extension FetchFailure {
  /// What happened, as it may be shown at a prompt.
  var shown: String { message.forPrompt }
}

extension String {
  /// Escaped for the terminal, with advice for a prompt.
  var forPrompt: String {
    printable.replacing("(allow it with --allow-", with: "(allow it with :grant ")
  }
}
