import Items
import Lua
import Paging

/// The readers of a run and their fetches: one handler coroutine each, from the request to the answer.
final class FetchHost {
  private let prelude: Prelude
  private let turn: Turn
  private let scheduler: Scheduler
  private let run: RunState
  private let tally: Tally
  private var readers: [Int: Reader] = [:]
  private var wakes = Wakes<Int>()

  init(_ prelude: Prelude, _ turn: Turn, _ scheduler: Scheduler, _ run: RunState, _ tally: Tally) {
    self.prelude = prelude
    self.turn = turn
    self.scheduler = scheduler
    self.run = run
    self.tally = tally
  }

  /// The open readers, unordered.
  var open: Dictionary<Int, Reader>.Values { readers.values }

  /// The open readers, in the order they were opened.
  var inOrder: [Reader] { readers.values.sorted { $0.id < $1.id } }

  var isEmpty: Bool { readers.isEmpty }

  func reader(_ id: Int) -> Reader? { readers[id] }

  /// Lets handlers answer the reader.
  func add(_ reader: Reader) {
    readers[reader.id] = reader
    noteWake(of: reader)
  }

  /// Removes the reader from the open ones; its fetches continue.
  func remove(_ reader: Reader) {
    readers[reader.id] = nil
    wakes.set(reader.id, to: nil)
  }

  /// Closes a reader and cancels what is in flight.
  func close(_ reader: Reader) {
    guard !reader.isClosed else { return }
    reader.isClosed = true
    remove(reader)
    cancelFetches(of: reader)
    reader.closed()
  }

  func closeAll() { for reader in inOrder { close(reader) } }

  /// When the first of the readers is to be woken.
  var nextWake: Instant? { wakes.next }

  /// Has the reader woken at that time.
  func wake(_ reader: Reader, at time: Instant) {
    reader.wakeAt = time
    noteWake(of: reader)
  }

  /// When the reader is to be woken may have changed.
  func noteWake(of reader: Reader) {
    if readers[reader.id] === reader { wakes.set(reader.id, to: reader.nextWake) }
  }

  /// Wakes the readers that are due, has `body` do what else is due for them, and says when each is to be woken again.
  func wakeDue(_ body: ([Reader]) -> Void) {
    let due = wakes.takeDue(at: turn.now).compactMap { readers[$0] }
    for reader in due {
      guard let time = reader.wakeAt, time <= turn.now else { continue }
      reader.wakeAt = nil
      reader.receive(.woke)
    }
    body(due)
    for reader in due { noteWake(of: reader) }
  }

  /// Starts the fetch handler for a request.
  func fetch(_ request: FetchRequest, for reader: Reader) {
    reader.began(request)
    prelude.pushEntry("runFetch", on: prelude.state.stack)
    // What runs right now may be the handler of the page before.
    let step = reader.step.flatMap { $0.isOver ? nil : $0 }
    let page = PageTasks(within: reader.page, of: step)
    let task = scheduler.makeTask(
      settings: reader.settings, place: reader.place, isHandler: true, of: page)
    task.step = step
    task.isJoined = true
    task.depth = max(reader.depth, scheduler.running?.depth ?? 0) + 1
    task.line = reader.line
    reader[request.id.number] = Reader.Flight(id: request.id, key: request.key, task: task)
    let stack = task.coroutine.stack
    stack.push(reader.definition)
    stack.push(reader.id)
    stack.push(request.id.number)
    let context = pushContext(request, of: reader, on: stack)
    // A handler may outlive everything else that holds its reader: readers can be cancelled while it runs.
    task.onEnd = { [unowned self, id = request.id] task in ended(task, id, reader) }
    page.begin(task) { [id = request.id] areWell in
      if reader.pagesGoingOn.end(id, isWell: areWell) { _ = reader.wentOn(nil) }
    }
    tally.statistics.inFlight += 1
    scheduler.start(task, arguments: 3 + context)
  }

  /// The handler has answered its fetch: from here on it is a task of the run, which waits for its end and fails with its
  /// error. False if nobody wanted the answer any more, and the handler ends at its next wait.
  func answered(_ id: FetchID, of reader: Reader) -> Bool {
    guard let task = reader[id.number]?.task else { return false }
    reader[id.number] = nil
    tally.statistics.inFlight -= 1
    reader.pagesGoingOn.add(id)
    scheduler.release(task)
    task.onEnd = { [unowned self] task in wentOn(task, reader) }
    return true
  }

  /// The page is no longer wanted.
  func cancelFetch(_ id: FetchID, of reader: Reader) {
    guard let flight = reader[id.number] else { return }
    reader[id.number] = nil
    scheduler.cancel(flight.task)
  }

  /// Cancels the fetches in flight.
  func cancelFetches(of reader: Reader) {
    for flight in reader.callOff() { scheduler.cancel(flight.task) }
  }

  /// Pushes what the context of a fetch has, and says how many values that are.
  private func pushContext(_ request: FetchRequest, of reader: Reader, on stack: LuaStack) -> Int {
    if let key = request.key { stack.push(key) } else { stack.pushNil() }
    stack.push(request.size)
    stack.push(request.direction.rawValue)
    stack.push(request.attempt)
    stack.push(request.id.generation)
    push(reader.begun?.bookmark, on: stack)
    push(reader.begun?.bookmarkLimit, on: stack)
    push(reader.newBookmark, on: stack)
    return 8
  }

  private func push(_ bookmark: Bytes?, on stack: LuaStack) {
    let pushed: Void? = try? bookmark?.withUnsafeBytes { try stack.pushJSON($0) }
    if pushed == nil { stack.pushNil() }
  }

  /// A handler has ended that went on behind its answer.
  private func wentOn(_ task: ScriptTask, _ reader: Reader) {
    guard let error = task.unclaimedError else { return }
    task.isJoined = true
    if !reader.wentOn(error) { run.fail(error) }
  }

  private func ended(_ task: ScriptTask, _ id: FetchID, _ reader: Reader) {
    tally.statistics.inFlight -= 1
    let wasWanted = reader[id.number] != nil
    reader[id.number] = nil
    if case .finished = task.state, task.page?.haveOthers ?? false { reader.pagesGoingOn.add(id) }
    if case .failed(let error) = task.state, wasWanted, !reader.isClosed {
      reader.note(error)
      reader.receive(.answered(id, .failed(FetchFailure(error))))
    }
  }
}

extension FetchFailure {
  /// A handler's error. HTTP has already been retried below; truncated answers have not.
  init(_ error: LuaError) {
    let isTransient =
      error.code == HostFailure.Code.parse.rawValue && error.fields["isTransient"] == .boolean(true)
    let status: Int? =
      if case .integer(let number)? = error.fields["status"] { Int(clamping: number) } else { nil }
    self.init(
      code: error.code ?? "script", message: error.message, isTransient: isTransient, status: status)
  }
}
