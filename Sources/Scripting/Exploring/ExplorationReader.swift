import Items
import Lua
import Paging

/// Has the pages of an exploration fetched, and records what the handlers return and when.
final class ExplorationReader: Reader {
  /// Requests in flight, by the number under which the handler runs.
  private var asked: [Int: Asked] = [:]
  /// The unfinished query.
  private(set) var asking: Asking?
  private let turn: Turn
  private let host: FetchHost

  private struct Asked {
    let request: FetchRequest
    let since: Instant
    var pieces: [JournaledAnswer.Piece] = []
  }

  /// Who asked.
  struct Asking {
    let answered: (FetchRequest, JournaledAnswer) -> Void
    let ended: (LuaError?) -> Void
  }

<<<<<<< HEAD
  /// Calls the handlers for all requests.
  func begin(_ requests: [FetchRequest], _ asking: Asking, in workflow: Workflow) {
=======
  init(_ definition: SourceDefinition, _ turn: Turn, _ fetches: FetchHost) {
    self.turn = turn
    host = fetches
    super.init(id: turn.nextNumber(), definition: definition)
  }

  /// Calls the handlers for all of the requests.
  func begin(_ requests: [FetchRequest], _ asking: Asking) {
>>>>>>> 90bfe28 (An event costs the lab what it did: one look at it, no copies of what is held; objects with the same keys are written in the same order again; a person at a prompt explores through one host)
    self.asking = asking
    host.add(self)
    for request in requests {
      // The same number may be requested again in another past, while the script still holds this one's context.
      var attempt = request
      attempt.id = FetchID(generation: request.id.generation, number: turn.nextNumber())
      asked[attempt.id.number] = Asked(request: request, since: turn.now)
      host.fetch(attempt, for: self)
    }
  }

<<<<<<< HEAD
  /// Ends the query. With an error, running handlers are cancelled, and their results are dropped.
  func end(_ error: LuaError?, in workflow: Workflow) {
=======
  /// Ends the asking. With an error, handlers that still run are cancelled, and what they said is forgotten.
  func end(_ error: LuaError?) {
>>>>>>> 90bfe28 (An event costs the lab what it did: one look at it, no copies of what is held; objects with the same keys are written in the same order again; a person at a prompt explores through one host)
    guard let asking else { return }
    self.asking = nil
    asked = [:]
    if error != nil { host.cancelFetches(of: self) }
    host.remove(self)
    self.error = nil
    asking.ended(error)
  }

  override func receive(_ event: Event) {
    switch event {
    case .appended(let id, _, _): add(event, to: id, at: turn.now)
    case .answered(let id, _):
      if let error, case .stopped = error.kind { return end(error) }
      add(event, to: id, at: turn.now)
      finish(id)
    default: break
    }
  }

  private func add(_ event: Event, to id: FetchID, at now: Instant) {
    guard let since = asked[id.number]?.since else { return }
    asked[id.number]?.pieces.append(JournaledAnswer.Piece(after: now - since, event))
  }

  private func finish(_ id: FetchID) {
    guard let done = asked.removeValue(forKey: id.number) else { return }
    asking?.answered(done.request, JournaledAnswer(done.pieces))
<<<<<<< HEAD
    if asked.isEmpty { end(nil, in: workflow) }
  }
}

extension Workflow {
  /// Has the source's own handlers fetch the pages of an exploration, all at once, starting with the workflow's next
  /// event.
  ///
  /// `answered` is called for each with the result and its duration; `ended` once, with the error if the handlers were
  /// stopped: by the user, or for lack of time or memory.
  public func ask(
    _ requests: [FetchRequest], of source: ExploredSource,
    answered: @escaping (FetchRequest, JournaledAnswer) -> Void, ended: @escaping (LuaError?) -> Void
  ) {
    turn.enqueue { [unowned self] in
      guard !run.isStopping, source.reader.asking == nil, !requests.isEmpty else { return ended(nil) }
      limits.renew()
      source.reader.begin(
        requests, ExplorationReader.Asking(answered: answered, ended: ended), in: self)
    }
  }

  /// Ends the unanswered requests of the source, as interrupted.
  public func stopAsking(_ source: ExploredSource) {
    turn.enqueue { [unowned self] in source.reader.end(.interruptedLine, in: self) }
=======
    if asked.isEmpty { end(nil) }
>>>>>>> 90bfe28 (An event costs the lab what it did: one look at it, no copies of what is held; objects with the same keys are written in the same order again; a person at a prompt explores through one host)
  }
}
