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

  init(_ definition: SourceDefinition, _ turn: Turn, _ fetches: FetchHost) {
    self.turn = turn
    host = fetches
    super.init(id: turn.nextNumber(), definition: definition)
  }

  /// Calls the handlers for all requests.
  func begin(_ requests: [FetchRequest], _ asking: Asking) {
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

  /// Ends the asking. With an error, handlers that still run are cancelled, and what they said is forgotten.
  func finish(_ error: LuaError?) {
    guard let asking else { return }
    self.asking = nil
    asked = [:]
    if error != nil { host.cancelFetches(of: self) }
    host.remove(self)
    forgetErrors()
    asking.ended(error)
  }

  override func receive(_ event: Event) {
    switch event {
    case .appended(let id, _, _): add(event, to: id, at: turn.now)
    case .answered(let id, _):
      if let error, case .stopped = error.kind { return finish(error) }
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
    if asked.isEmpty { finish(nil) }
  }
}
