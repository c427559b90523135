import Lua
import Paging

/// Sources that the sink is to read, while it looks up how far an earlier run has come with them.
final class Openings {
  private struct Opening {
    let source: String
    let failed: (LuaError) -> Void
    let open: (BegunReading) throws -> Void
  }

  private let turn: Turn
  private let run: RunState
  private let observe: (Observation) -> Void
  private var waiting: [HostCallID: Opening] = [:]

  init(_ turn: Turn, _ run: RunState, observe: @escaping (Observation) -> Void) {
    self.turn = turn
    self.run = run
    self.observe = observe
  }

  /// Whether no source waits.
  var isEmpty: Bool { waiting.isEmpty }
  /// Sources that wait.
  var count: Int { waiting.count }

  /// Begins a reading and opens the source, unless it is read already. `failed` is told why it can't be read.
  func begin(
    _ request: ReadingRequest, failed: @escaping (LuaError) -> Void,
    _ open: @escaping (BegunReading) throws -> Void
  ) {
    let id = HostCallID(number: turn.nextNumber())
    waiting[id] = Opening(source: request.source, failed: failed, open: open)
    turn.append(.call(id, .begin(request)))
  }

  /// Handles the sink's reply to a beginning; false if the reply is for something else.
  func replied(_ id: HostCallID, _ reply: HostReply) -> Bool {
    guard let opening = waiting.removeValue(forKey: id) else { return false }
    guard !run.isStopping else { return true }
    switch reply {
    case .begun(let reading):
      announce(reading, of: opening.source)
      do { try opening.open(reading) } catch { opening.failed(LuaError(any: error)) }
    case .failed(let failure) where failure.code == .invalid:
      opening.failed(LuaError(failure, code: "state"))
    case .failed(let failure): run.fail(LuaError(failure, code: "sink"))
    default: run.fail(LuaError(.runtime, "source '\(opening.source)' can't begin: unexpected \(reply)"))
    }
    return true
  }

  private func announce(_ reading: BegunReading, of source: String) {
    if reading.isOutputContinued { run.goesOn = true }
    if reading.isOutputChanged {
      observe(
        .logged(
          level: "warn",
          message: "the output is not as the run before left it: nothing goes on, all is read from the start",
          fields: [("source", .string(source))]))
    }
    if reading.isBookmarkChanged {
      observe(
        .logged(
          level: "warn", message: "its bookmark is another than before: all is read from the start",
          fields: [("source", .string(source))]))
    }
    let items = "\(reading.items.grouped) item\(reading.items == 1 ? " is" : "s are") there"
    let message: String
    if reading.isDone {
      message = "read to its end already: \(items)"
    } else if let position = reading.position {
      message = "going on at page \((position.pages + 1).grouped): \(items)"
    } else {
      return
    }
    observe(.logged(level: "info", message: message, fields: [("source", .string(source))]))
    run.goesOn = true
    let parts = reading.changedParts
    guard let last = parts.last else { return }
    let names =
      parts.count == 1 ? "\(last) has" : "\(parts.dropLast().joined(separator: ", ")) and \(last) have"
    observe(
      .logged(
        level: "warn",
        message:
          "\(names) changed since this reading began: what is there stays as it is (--fresh begins anew)",
        fields: [("source", .string(source))]))
  }
}

extension Observation {
  /// A reading failed before anything came.
  static func broughtNothing(_ place: String, source: String) -> Observation {
    .logged(
      level: "warn",
      message:
        "nothing came \(place), where this run was to go on: if the source no longer knows that place, --fresh begins anew",
      fields: [("source", .string(source))])
  }

  /// A reading begins anew, as its list has become another, or can't be gone on with.
  static func begunAnew(source: String, since failure: FetchFailure) -> Observation {
    let cause =
      failure.isOfAnotherList
      ? "the list is another since this reading began"
      : "the source no longer takes the key from which this reading was to go on"
    return .logged(
      level: "warn", message: "\(cause): it is read anew, as a whole",
      fields: [("source", .string(source)), ("reason", .string(failure.message))])
  }
}

extension Int {
  /// With a comma between thousands.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
