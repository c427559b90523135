import Lua
import Paging

/// One coroutine of a run: the script itself, a fetch, or something that a script spawned.
final class ScriptTask {
  let id: Int
  let coroutine: LuaCoroutine
  /// How its HTTP requests are treated; those of the source that it fetches for.
  let settings: RequestSettings
  /// Where its function is, as `feed.lua:12`: the place of errors behind a tail call, which leaves no line.
  let place: String
  private(set) var state = State.ready
  /// Takes back its wish for what it waits for, when it ends while it waits.
  var giveUp: (() -> Void)?
  /// Called once at the end, whatever it is.
  var onEnd: (ScriptTask) -> Void = { _ in }
  /// Tasks that wait for this one.
  var joiners: [Joiner] = []
  /// The line of a prompt that began it, or what began it.
  var line: Int?
  /// Whether it runs a fetch handler, for a reader.
  var isFetch = false
  /// How many handlers are inside each other here: that of a source which is read while another source's page is fetched,
  /// and so on.
  var depth = 0
  /// Whether somebody took, or will take, its error.
  var isJoined = false

  enum State {
    case ready
    case waiting
    /// So many results are on the coroutine's stack.
    case finished(Int)
    case failed(LuaError)

    var isOver: Bool {
      switch self {
      case .ready, .waiting: false
      case .finished, .failed: true
      }
    }

    var hasFailed: Bool { if case .failed = self { true } else { false } }
  }

  /// A task that waits for this one, and what to do then.
  struct Joiner {
    let task: ScriptTask
    let resume: () -> Void
  }

  init(id: Int, coroutine: LuaCoroutine, settings: RequestSettings, place: String) {
    self.id = id
    self.coroutine = coroutine
    self.settings = settings
    self.place = place
  }

  /// Calls `onEnd`, and lets go of what that holds.
  func close() {
    let ended = onEnd
    onEnd = { _ in }
    ended(self)
  }

  func wait() { state = .waiting }
  func proceed() { state = .ready }
  func finish(results: Int) { state = .finished(results) }
  func fail(_ error: LuaError) { state = .failed(error) }
}

/// How the HTTP requests of a source are treated.
struct RequestSettings {
  var timeout: Duration = .seconds(30)
  var retry = RetryRule()
  /// Requests of one source share one bucket.
  var rate: RateLimit?
  var source: String?

  init() {}

  init(timeout: Duration, retry: RetryRule, rate: RateLimit?, source: String?) {
    self.timeout = timeout
    self.retry = retry
    self.rate = rate
    self.source = source
  }

  /// For requests outside of any source.
  init(_ overrides: SourceOverrides) {
    timeout = overrides.timeout ?? timeout
    retry.count = overrides.retries ?? retry.count
    retry.maxWait = overrides.retryMaxWait ?? retry.maxWait
    rate = overrides.rate
  }
}
