import Hosting
import Items
import Paging
import Scripting
import Terminal

/// A workflow that a person reads: keys in, a screen out, around the very events and effects of a run.
///
/// Keys come from the terminal, from a script of keys, or from both; either way they take the same path.
final class BrowseProgram: Program {
  let workflow: Workflow
  /// The workflow, or what records it.
  private let inner: any Program
  var model: BrowseModel
  var frames = FrameTimes()
  var choice = PolicyChoice()
  var mostHeld = 0
  private(set) var maxItems: Int?
  /// The newest screen.
  private(set) var screen: Screen?
  let device: TerminalDevice?
  private let recorder: TraceRecorder?
  private var script: KeyTyping?
  var ranges = RangeWatch()
  /// Who measures rows; without it, drawing does.
  var rowRunner: JobRunner<RowSource>?
  /// The real time, for the accounting of frames.
  var clock: () -> Instant = { .zero }

  private var shown: Viewport?
  private var wakeOfInner: Instant?
  private var lastDrawn: Instant?
  private var isDirty = true
  private var isLeaving = false
  /// Something was asked of the workflow that it has to be told of.
  var hasAsked = false
  /// A search has more to look at.
  var searchesOn = false

  /// Frames are not drawn more often than this while there is more to do.
  private static let frame = Duration.milliseconds(6)

  init(
    _ workflow: Workflow, recordedBy inner: (any Program)?, size: TerminalSize, steps: [KeyStep]?,
    device: TerminalDevice?, recorder: TraceRecorder?
  ) {
    self.workflow = workflow
    self.inner = inner ?? workflow
    self.device = device
    self.recorder = recorder
    script = steps.map(KeyTyping.init)
    model = BrowseModel(size: device?.size ?? size)
  }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    var effects = tell(event, at: now)
    guard !isLeaving, takeKeys(at: now) else {
      readAway(at: now, &effects)
      return effects
    }
    look(at: now)
    if hasAsked {
      hasAsked = false
      effects += tell(.woke, at: now)
    }
    update(at: now)
    isDirty = true
    if lastDrawn.map({ now - $0 >= Self.frame }) ?? true { draw(at: now) }
    if let wake = wake(at: now) { effects.append(.wake(at: wake)) }
    return effects
  }

  /// Draws what changed since the last time, when there is nothing else to do.
  func draw(at now: Instant) {
    guard isDirty, !isLeaving, let list = workflow.browsedList else { return }
    isDirty = false
    lastDrawn = now
    carryOut(model.prepareRows(list))
    let screen = model.screen(list, status(list, at: now), at: now)
    self.screen = screen
    device?.draw(screen)
    frames.drawn(at: clock())
  }

  /// The machine says what it does.
  func hear(_ note: Note, at now: Instant) {
    model.journal.note(note, at: now)
    recorder?.hear(note)
  }
}

extension BrowseProgram {
  /// Takes what was typed; false while there is no list. The list is let go before the workflow goes on, which would have
  /// to copy its items otherwise.
  private func takeKeys(at now: Instant) -> Bool {
    guard let list = workflow.browsedList else { return false }
    mostHeld = max(mostHeld, list.items.count)
    maxItems = maxItems ?? workflow.browsedSource?.maxItems
    readTerminal(list, at: now)
    type(list, at: now)
    carryOut(model.update(list, at: now), at: now)
    return true
  }

  private func update(at now: Instant) {
    if let list = workflow.browsedList { carryOut(model.update(list, at: now), at: now) }
    if model.lacksDetails, let details = workflow.browsedDetails(at: model.selected) {
      model.show(details: details)
    }
  }

  /// Tells the workflow; its wish to be woken is kept, since the browser has one of its own.
  private func tell(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    if case .woke = event, let wake = wakeOfInner, wake <= now { wakeOfInner = nil }
    return inner.handle(event, at: now).filter { effect in
      switch effect {
      case .wake(let time):
        wakeOfInner = time
        return false
      case .finished:
        isLeaving = true
        return true
      case .call, .cancel: return true
      }
    }
  }

  private func readTerminal(_ list: BrowsedList, at now: Instant) {
    for input in device?.read() ?? [] {
      switch input {
      case .key(let key): press(key, list, at: now)
      case .resized(let size): model.resize(size, list, at: now)
      case .gone: leave()
      }
    }
  }

  /// Before there is a list, only the wish to leave counts.
  private func readAway(at now: Instant, _ effects: inout [ProgramEffect]) {
    for input in device?.read() ?? []
    where [.key(.control("c")), .key(.character("q")), .gone].contains(input) {
      guard !isLeaving else { continue }
      isLeaving = true
      effects += tell(.interrupted, at: now)
    }
    if let wakeOfInner, !isLeaving { effects.append(.wake(at: wakeOfInner)) }
  }

  private func type(_ list: BrowsedList, at now: Instant) {
    guard let step = script?.next(isSettled: isSettled(list), at: now) else { return }
    switch step {
    case .key(let key): press(key, list, at: now)
    case .resize(let columns, let rows):
      model.resize(TerminalSize(columns: columns, rows: rows), list, at: now)
    case .over:
      script = nil
      if device == nil {
        isDirty = true
        draw(at: now)
        leave()
      }
    }
  }

  private func isSettled(_ list: BrowsedList) -> Bool {
    !list.isMissing(in: model.visible) && !list.isReplacing && model.search == nil
      && workflow.statistics.inFlight == 0 && model.viewport(at: clock()).velocity == 0
  }

  /// Tells the machine what is seen, when that is something else.
  private func look(at now: Instant) {
    let viewport = model.viewport(at: now)
    guard viewport != shown else { return }
    shown = viewport
    ask(.move(viewport))
    if let list = workflow.browsedList {
      recorder?.see(model.visible, rows: list.rowCount(beyond: model.height), at: now)
    }
  }

  private func wake(at now: Instant) -> Instant? {
    var times = [wakeOfInner, model.wakesAt(now), script?.wakesAt].compactMap { $0 }
    if searchesOn {
      searchesOn = false
      times.append(now)
    }
    return times.min()
  }
}
