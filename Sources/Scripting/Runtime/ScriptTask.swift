import Lua
import Paging

/// One coroutine of a run: the script itself, a fetch, or a spawned function.
final class ScriptTask {
  let id: Int
  let coroutine: LuaCoroutine
  /// The settings of its HTTP requests; those of the source it fetches for.
  let settings: RequestSettings
  /// The location of its function, such as `feed.lua:12`: used for errors after a tail call, which leaves no line.
  let place: String
  private(set) var state = State.ready
  /// Cancels what it waits for, if it ends while waiting.
  var giveUp: (() -> Void)?
  /// Called once at the end, however it ends.
  var onEnd: (ScriptTask) -> Void = { _ in }
  /// Tasks that wait for this one, or for a module that it loads.
  var joiners: [Joiner] = []
  /// Tasks that it waits for.
  var joined: [ScriptTask] = []
  /// The task that started it, if one did.
  var starter: Int?
  /// The prompt line that started it, directly or not.
  var line: Int?
  /// Whether it runs a fetch handler, for a reader or a prefetcher.
  var isHandler = false
  /// Nesting depth of handlers: that of a source read while another source's page is fetched, and so on.
  var depth = 0
  /// The step that it works for.
  var step: Step?
  /// The page that it works for.
  var page: PageTasks?
  /// Whether its error was or will be handled.
  var isJoined = false

  enum State {
    case ready
    case waiting
    /// The number of results on the coroutine's stack.
    case finished(Int)
    indirect case failed(LuaError)

    var isOver: Bool {
      switch self {
      case .ready, .waiting: false
      case .finished, .failed: true
      }
    }

    var hasFailed: Bool { if case .failed = self { true } else { false } }
  }

  /// Its error, if nobody handles that; a stop is handled by who supervises the tasks.
  var unclaimedError: LuaError? {
    guard case .failed(let error) = state, !isJoined else { return nil }
    if case .stopped = error.kind { return nil }
    return error
  }

  /// A task that waits for this one, and what to do then.
  struct Joiner {
    let task: ScriptTask
    /// The module that it waits for; nil is the end, of which it handles the error.
    var module: ModuleLoad?
    let resume: () -> Void
  }

  init(id: Int, coroutine: LuaCoroutine, settings: RequestSettings, place: String) {
    self.id = id
    self.coroutine = coroutine
    self.settings = settings
    self.place = place
  }

  /// Leaves the step that it does, calls `onEnd`, leaves its page, and releases what it holds.
  func close() {
    step?.ended(self)
    let (ended, page) = (onEnd, page)
    onEnd = { _ in }
    ended(self)
    self.page = nil
    page?.ended(self)
  }

  /// Releases what it holds, and calls nobody.
  func forget() {
    onEnd = { _ in }
    page?.forget()
    page = nil
  }

  func wait() { state = .waiting }

  func proceed() {
    state = .ready
    joined = []
  }

  /// Waits for other tasks no longer, and returns those of its own that nobody else waits for.
  func leaveJoined() -> [ScriptTask] {
    let left = joined.filter { other in
      let isJoiner = other.joiners.contains { $0.task === self && $0.module == nil }
      other.joiners.removeAll { $0.task === self }
      guard isJoiner else { return false }
      other.isJoined = other.joiners.contains { $0.module == nil }
      return !other.isJoined && other.starter == id
    }
    joined = []
    return left
  }

  /// Whether it goes on only once the other one does, which may be itself.
  func waits(for other: ScriptTask) -> Bool {
    var places = [self]
    var seen: Set<Int> = []
    while let task = places.popLast() {
      if task === other { return true }
      if seen.insert(task.id).inserted { places += task.joined }
    }
    return false
  }
  func finish(results: Int) { state = .finished(results) }
  func fail(_ error: LuaError) { state = .failed(error) }
}

/// Settings of a source's HTTP requests. Its readers and their tasks share them.
final class RequestSettings: Sendable {
  let timeout: Duration
  let retry: RetryRule
  let rate: RateLimit?
  /// Whose requests share the rate; nil are all to one host.
  let source: String?
  /// How many may be in flight to one host; nil is the gate's own maximum.
  let width: Width?

  init(
    timeout: Duration = .seconds(30), retry: RetryRule = RetryRule(), rate: RateLimit? = nil,
    source: String? = nil, width: Width? = nil
  ) {
    self.timeout = timeout
    self.retry = retry
    self.rate = rate
    self.source = source
    self.width = width
  }

  /// For requests outside of any source.
  convenience init(_ overrides: SourceOverrides) {
    var retry = RetryRule()
    if let retries = overrides.retries {
      retry.count = retries
      retry.patience = nil
    }
    retry.maxWait = overrides.retryMaxWait ?? retry.maxWait
    self.init(
      timeout: overrides.timeout ?? .seconds(30), retry: retry, rate: overrides.rate, width: overrides.width)
  }

  /// Whether requests are made in the same way.
  func isSame(as other: RequestSettings) -> Bool {
    timeout == other.timeout && retry == other.retry && rate == other.rate && source == other.source
      && width == other.width
  }
}
