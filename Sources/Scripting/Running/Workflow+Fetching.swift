import Items
import Lua
import Paging

/// Fetches: a handler's coroutine each, from the request to the answer.
extension Workflow {
  /// Starts the fetch handler for a request.
  func fetch(_ request: FetchRequest, for reader: Reader) {
    if reader === browsedReader { options.browse?.began(request, now) }
    library.pushEntry("runFetch", on: state.stack)
    let task = makeTask(settings: reader.settings, place: reader.place)
    task.isJoined = true
    task.isFetch = true
    task.depth = max(reader.depth, running?.depth ?? 0) + 1
    task.line = reader.line
    reader.fetches[request.id.number] = task
    reader.wanted[request.id.number] = request.id
    let stack = task.coroutine.stack
    stack.push(reader.definition)
    stack.push(reader.id)
    stack.push(request.id.number)
    pushContext(request, of: reader, on: stack)
    // A handler may outlive everybody else who knows its reader: those who read can be cancelled while it runs.
    task.onEnd = { [unowned self] task in ended(task, request, reader) }
    statistics.inFlight += 1
    begin(task, arguments: 4)
  }

  private func pushContext(_ request: FetchRequest, of reader: Reader, on stack: LuaStack) {
    stack.pushTable(fields: 8)
    if let key = request.key {
      push(key, on: stack)
      stack.setField("key", of: -2)
    }
    stack.setField("size", of: -1, to: .integer(Int64(request.size)))
    stack.setField("direction", of: -1, to: .string(request.direction.rawValue))
    stack.setField("attempt", of: -1, to: .integer(Int64(request.attempt)))
    stack.setField("generation", of: -1, to: .integer(Int64(request.id.generation)))
    stack.push(reader.definition)
    stack.pushField("parameters", of: -1)
    stack.remove(at: -2)
    if stack.isNil(at: -1) {
      stack.pop()
      stack.pushTable()
    }
    stack.setField("parameters", of: -2)
    stack.push(reader.definition)
    stack.pushField("query", of: -1)
    stack.remove(at: -2)
    stack.setField("query", of: -2)
  }

  private func ended(_ task: ScriptTask, _ request: FetchRequest, _ reader: Reader) {
    statistics.inFlight -= 1
    reader.fetches[request.id.number] = nil
    let wasWanted = reader.wanted.removeValue(forKey: request.id.number) != nil
    if case .failed(let error) = task.state, wasWanted, !reader.isClosed {
      reader.error = error
      reader.tell(.answered(request.id, .failed(FetchFailure(error))), in: self)
    }
    if let reader = reader as? FeedReader, !reader.withheld.isEmpty {
      later { [unowned self] in goOnWithheld(reader) }
    }
  }

  /// Nobody wants that page any more.
  func cancelFetch(_ id: FetchID, of reader: Reader) {
    reader.wanted[id.number] = nil
    if let task = reader.fetches.removeValue(forKey: id.number) { cancel(task) }
  }

  /// No more of this source: what is in flight is cancelled.
  func close(_ reader: Reader) {
    guard !reader.isClosed else { return }
    reader.isClosed = true
    readers[reader.id] = nil
    cancelFetches(of: reader)
    if let reader = reader as? FeedReader { endDetails(of: reader) }
  }

  /// Ends the fetches under way.
  func cancelFetches(of reader: Reader) {
    reader.wanted = [:]
    for task in reader.fetches.values.sorted(by: { $0.id < $1.id }) { cancel(task) }
    reader.fetches = [:]
  }

  /// A key as scripts have it.
  func push(_ key: PageKey, on stack: LuaStack) {
    switch key {
    case .integer(let value): stack.push(value)
    case .text(let value): stack.push(value)
    case .json(let bytes):
      do throws(JSONError) {
        try bytes.withUnsafeBytes { bytes throws(JSONError) in try stack.pushJSON(bytes) }
      } catch {
        stack.pushNil()
      }
    }
  }

  /// A key as a script gave it; nil for none.
  func key(at index: Int, on stack: LuaStack) throws -> PageKey? {
    if stack.isNil(at: index) { return nil }
    if let value = stack.integer(at: index) { return .integer(value) }
    if let value = stack.string(at: index) { return .text(value) }
    do {
      return try stack.withJSON(at: index) { .json(Bytes(copying: $0)) }
    } catch {
      throw HostFunctionError.misuse("a key must be text, a number or JSON: \(error.message)")
    }
  }
}

extension FetchFailure {
  /// An error of a handler. HTTP was retried below already; answers that were cut are not.
  init(_ error: LuaError) {
    let isTransient =
      error.code == HostFailure.Code.parse.rawValue && error.fields["isTransient"] == .boolean(true)
    let status: Int? =
      if case .integer(let number)? = error.fields["status"] { Int(clamping: number) } else { nil }
    self.init(
      code: error.code ?? "script", message: error.message, isTransient: isTransient, status: status)
  }
}
