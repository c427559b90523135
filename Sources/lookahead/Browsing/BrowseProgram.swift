import Hosting
import Items
import Listing
import Paging
import Scripting
import Terminal

/// A workflow with an interactive reader: keys in, a screen out, around the events and effects of a normal run.
///
/// Keys come from the terminal, from a key script, or both; all take the same path.
final class BrowseProgram: Program {
  let workflow: Workflow
  /// The workflow, possibly wrapped by a recorder.
  private let inner: any Program
  var model: BrowseModel
  private(set) var frames = FrameTimes()
  private(set) var choice: PolicyChoice
  private(set) var mostHeld = 0
  private(set) var maxItems: Int?
  /// The latest screen.
  private(set) var screen: Screen?
  private let device: TerminalDevice?
  private let recorder: TraceRecorder?
  private var script: KeyTyping?
  private var ranges = RangeWatch()
  /// Measures rows in the background; without it, drawing does.
  private var rowRunner: JobRunner<RowSource>?
  /// Real time, to measure frames.
  var clock: () -> Instant = { .zero }

  /// The viewport that was recorded last.
  private var shown: Viewport?
  /// When a key moved the viewport last, in the reader's own time.
  private var movedAt: Duration?
  private var wakeOfInner: Instant?
  private var lastDrawn: Instant?
  private var isDirty = true
  private var isLeaving = false
  /// Whether a request was made that the workflow has to handle.
  private var hasAsked = false
  /// Whether a search has more to look at.
  private var searchesOn = false
  /// The item that was opened last.
  private var opened: ItemID?
  /// Whether a refresh is under way, after which details are outdated.
  private var outdatesDetails = false

  /// Minimum time between frames while there is more to do.
  private static let frame = Duration.milliseconds(6)

  init(
    _ workflow: Workflow, recordedBy inner: (any Program)?, size: TerminalSize, steps: [KeyStep]?,
    device: TerminalDevice?, recorder: TraceRecorder?, choice: PolicyChoice
  ) {
    self.workflow = workflow
    self.inner = inner ?? workflow
    self.device = device
    self.recorder = recorder
    self.choice = choice
    script = steps.map(KeyTyping.init)
    model = BrowseModel(size: device?.size ?? size)
  }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    var effects = send(event, at: now)
    guard !isLeaving, handleKeys(at: now) else {
      readAway(at: now, &effects)
      return effects
    }
    look(at: now)
    sendRequests(at: now, &effects)
    update(at: now)
    // The list may now be another, in which the reader sees other places.
    look(at: now)
    if hasAsked {
      sendRequests(at: now, &effects)
      update(at: now)
    }
    isDirty = true
    if lastDrawn.map({ now - $0 >= Self.frame }) ?? true { draw(at: now) }
    if let wake = wake(at: now) { effects.append(.wake(at: wake)) }
    return effects
  }

  /// Draws what changed since the last frame, when there is nothing else to do.
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

  /// Handles a note of the machine.
  func hear(_ note: Note, at now: Instant) {
    model.journal.note(note, at: now)
    recorder?.hear(note, at: now)
  }
}

extension BrowseProgram {
  /// Handles typed keys; false while there is no list. The list is released before the workflow continues, which would
  /// otherwise have to copy its items.
  private func handleKeys(at now: Instant) -> Bool {
    guard let list = workflow.browsedList else { return false }
    mostHeld = max(mostHeld, list.items.count)
    maxItems = maxItems ?? workflow.browsedSource?.maxItems
    readTerminal(list, at: now)
    // The end that is followed may have moved: only then it is known what is still missing.
    if script != nil { carryOut(model.update(list, at: now), at: now) }
    type(list, at: now)
    carryOut(model.update(list, at: now), at: now)
    return true
  }

  private func update(at now: Instant) {
    if let list = workflow.browsedList {
      carryOut(model.update(list, at: now), at: now)
      renewDetails(list)
      recorder?.update(isMissing: list.isMissing(in: model.visible), at: now)
    }
    if model.lacksDetails, let opened, let details = workflow.browsedDetails(of: opened) {
      model.show(details: details)
    }
  }

  /// What was fetched with the old items may be as old as they are.
  private func renewDetails(_ list: BrowsedList) {
    guard outdatesDetails, !list.isReplacing else { return }
    outdatesDetails = false
    workflow.renewBrowsedDetails()
    hasAsked = true
  }

  /// Has the workflow do what was asked for.
  private func sendRequests(at now: Instant, _ effects: inout [ProgramEffect]) {
    guard hasAsked else { return }
    hasAsked = false
    effects += send(.woke, at: now)
  }

  /// Sends the workflow an event; keeps its wake time, since the browser has its own.
  private func send(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    if case .woke = event, let wake = wakeOfInner, wake <= now { wakeOfInner = nil }
    return inner.handle(event, at: now).filter { effect in
      switch effect {
      case .wake(let time):
        wakeOfInner = time
        return false
      case .finished:
        isLeaving = true
        return true
      case .call, .cancel, .answer, .dismiss: return true
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

  /// Before there is a list, keys only leave or suspend.
  private func readAway(at now: Instant, _ effects: inout [ProgramEffect]) {
    for input in device?.read() ?? [] {
      switch input {
      case .resized(let size): model.resize(size, BrowsedList(items: ItemSet()), at: now)
      case .key(.control("z")): carryOut([.suspend], at: now)
      case .key(.control("c")), .key(.character("q")), .gone:
        guard !isLeaving else { continue }
        isLeaving = true
        effects += send(.interrupted, at: now)
      case .key: break
      }
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
        carryOut(model.update(list, at: now), at: now)
        isDirty = true
        draw(at: now)
        leave()
      }
    }
  }

  /// A move settles in the reader's own time, so that a key script is the same reader over any network.
  private func isSettled(_ list: BrowsedList) -> Bool {
    let isStill = movedAt.map { ownTime(at: clock()) - $0 >= ScrollMeter.window } ?? true
    let hasGivenUp = list.failure.map { $0.retryAt == nil } ?? false
    return isStill && !list.isMissing(in: model.visible) && (!list.isReplacing || hasGivenUp)
      && model.search == nil && list.viewport?.firstVisible == model.top
      && workflow.statistics.inFlight == 0 && model.viewport(at: clock()).velocity == 0
  }

  /// Reports the viewport to the machine, if that takes it to be another one.
  private func look(at now: Instant) {
    guard let list = workflow.browsedList else { return }
    let viewport = model.viewport(at: now)
    if viewport != list.viewport { ask(.move(viewport)) }
    guard viewport != shown else { return }
    shown = viewport
    let rows = list.rowCount(beyond: model.height)
    recorder?.see(model.visible, rows: rows, velocity: viewport.velocity, at: now)
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

/// Keys and their requests.
extension BrowseProgram {
  func press(_ key: Key, _ list: BrowsedList, at now: Instant) {
    frames.key(at: now)
    let wasOpen = hasOpenItem
    carryOut(model.handle(key, list, at: now), at: now)
    if hasOpenItem, !wasOpen { opened = list[model.selected]?.id }
    if model.viewport(at: now).velocity != 0 { movedAt = ownTime(at: now) }
  }

  private var hasOpenItem: Bool { if case .item = model.mode { true } else { false } }

  /// The time that passed outside of stalls.
  private func ownTime(at now: Instant) -> Duration { now - .zero - model.stalls.total(at: now) }

  func carryOut(_ commands: [BrowseWish], at now: Instant) {
    for command in commands {
      switch command {
      case .refresh:
        ask(.refresh)
        outdatesDetails = true
      case .retry: ask(.retry)
      case .nextPolicy:
        ask(.policy(choice.next()))
        model.say("policy: \(choice.name)")
      case .policy(let text): choosePolicy(text)
      case .searchOn: searchesOn = true
      case .suspend:
        device?.suspend()
        frames.forget()
      case .redraw: device?.forget()
      case .quit: leave()
      }
    }
  }

  private func choosePolicy(_ text: String) {
    do throws(PolicyChoice.Fault) {
      ask(.policy(try choice.choose(text)))
      model.say("policy: \(text)")
    } catch {
      model.say("policy \(text): \(error.words.prefix { !$0.isNewline })")
    }
  }

  func ask(_ request: BrowseRequest) {
    workflow.browse(request)
    hasAsked = true
  }

  func leave() { ask(.leave) }
}

/// Rows are measured on other threads, ahead of the viewport.
extension BrowseProgram {
  /// Measures rows until `stopMeasuring`; results arrive through the mailbox.
  func measureRows(posting mailbox: Mailbox) {
    rowRunner = JobRunner(
      name: "rows", post: { mailbox.post($0) }, work: RowSource.row,
      done: { [unowned self] job, row in
        carryOut(model.rowWindow.finished(job, try? row.get()))
      })
  }

  /// Drops pending measurements, and returns when the threads are gone.
  func stopMeasuring() {
    rowRunner?.finish()
    rowRunner = nil
  }

  func carryOut(_ effects: [DataEffect<RowSource>]) {
    for effect in effects {
      switch effect {
      case .perform(let jobs, let isSynchronous): rowRunner?.perform(jobs, isSynchronous: isSynchronous)
      case .hurry(let jobs): rowRunner?.hurry(jobs)
      case .cancel(let jobs): rowRunner?.cancel(jobs)
      // Rows are drawn from what is pending.
      case .apply, .complete, .resume: break
      }
    }
  }
}

/// What the browser shows around the list.
extension BrowseProgram {
  func status(_ list: BrowsedList, at now: Instant) -> BrowseStatus {
    var status = BrowseStatus()
    status.source = workflow.browsedSource?.name ?? ""
    status.maxItems = workflow.browsedSource?.maxItems
    status.policy = choice.name
    status.inFlight = workflow.statistics.inFlight
    status.held = list.items.count
    status.details = workflow.browsedDetails(in: model.visible)
    if model.isPanelShown {
      (status.ranges, status.mode) = ranges.look(
        at: model.visible, rows: list.rowCount(beyond: model.height))
    }
    return status
  }
}
