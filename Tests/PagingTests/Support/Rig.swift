import Items
import TestSupport
import Paging
import Testing

/// A feed with a screen that applies its change sets at once, and fetches that wait to be answered.
struct Rig {
  var feed: Feed
  var now = Instant.zero
  /// Fetches that are under way, in the order of their start.
  var waiting: [FetchRequest] = []
  /// All fetches ever started.
  var started: [FetchRequest] = []
  var cancelled: [FetchID] = []
  var screen: [[Item]] = [[]]
  var changes: [ChangeSet] = []
  /// How far the reader's viewport was moved.
  var shifts: [Int] = []
  var notes: [Note] = []
  var wakeAt: Instant?
  /// What the last event led to.
  var effects: [Effect] = []
  var appliesAtOnce = true

  init(_ policy: any FetchPolicy = Hinted(), _ set: (inout FeedConfiguration.Options) -> Void = { _ in })
    throws
  {
    feed = Feed(configuration: try FeedConfiguration(set), policy: policy)
  }

  mutating func send(_ event: Event) {
    effects = feed.handle(event, at: now)
    var applied: Int?
    for effect in effects {
      switch effect {
      case .fetch(let request):
        waiting.append(request)
        started.append(request)
      case .cancel(let id):
        waiting.removeAll { $0.id == id }
        cancelled.append(id)
      case .wake(let time): wakeAt = time
      case .apply(let change, let revision):
        changes.append(change)
        do { try change.apply(to: &screen) } catch { Issue.record(error) }
        applied = revision
      case .shiftViewport(let distance): shifts.append(distance)
      case .note(let note): notes.append(note)
      case .prefetch, .removed, .delivered, .reached, .ended: break
      }
    }
    if let applied, appliesAtOnce {
      let before = effects
      send(.applied(revision: applied))
      effects = before + effects
    }
  }

  /// The reader sees `length` items from `first` on.
  mutating func look(at first: Int, length: Int = 1, velocity: Double = 0, isVisible: Bool = true) {
    send(
      .viewportMoved(
        Viewport(
          firstVisible: first, lastVisible: first + length - 1, velocity: velocity, isVisible: isVisible)))
  }

  /// Answers the oldest fetch.
  mutating func answer(_ answer: FetchAnswer) { self.answer(0, answer) }

  /// Answers the fetch at a place in `waiting`.
  mutating func answer(_ index: Int, _ answer: FetchAnswer) {
    let request = waiting.remove(at: index)
    send(.answered(request.id, answer))
  }

  mutating func answer(_ index: Int = 0, from source: NumberSource) {
    answer(index, .page(source.page(for: waiting[index])))
  }

  /// Answers everything, also what answers lead to.
  mutating func answerAll(from source: NumberSource) {
    while !waiting.isEmpty { answer(from: source) }
  }

  mutating func fail(
    _ index: Int = 0, code: String = "network", isTransient: Bool = true, retryAfter: Duration? = nil
  ) {
    answer(
      index,
      .failed(FetchFailure(code: code, message: "broken", isTransient: isTransient, retryAfter: retryAfter)))
  }

  /// Lets time pass up to the wake that was asked for.
  mutating func sleep() {
    guard let time = wakeAt else { return }
    now = max(now, time)
    wakeAt = nil
    send(.woke)
  }

  var shown: [Int] { screen.flatMap { $0 }.ids }
  var noteNames: [String] { notes.map(\.name) }
  var keys: [Int?] { started.map { $0.key?.number } }
}
