import Items
import Lua
import Paging

/// Items emitted by a script itself, behind `lookahead.emit`.
final class EmitLibrary: ScriptLibrary {
  private let scheduler: Scheduler
  private let outbox: Outbox
  private let decision: Decision
  private let run: RunState
  private let observe: (Observation) -> Void
  private let isCheck: Bool
  /// Handles items in place of the sink: JSON and a stream.
  private let emitted: ((_ json: String, _ stream: String?) -> Void)?
  /// Items emitted so far.
  private(set) var count = 0
  private var hasWarned = false

  init(
    _ scheduler: Scheduler, _ outbox: Outbox, _ decision: Decision, _ run: RunState, isCheck: Bool,
    observe: @escaping (Observation) -> Void, emitted: ((_ json: String, _ stream: String?) -> Void)?
  ) {
    self.scheduler = scheduler
    self.outbox = outbox
    self.decision = decision
    self.run = run
    self.observe = observe
    self.isCheck = isCheck
    self.emitted = emitted
  }

  func register(in host: HostTable) {
    host.add("emit", "lookahead.emit") { [unowned self] call in try emit(call) }
  }

  /// An item for the sink; waits while the sink is behind.
  private func emit(_ function: HostFunctionCall) throws -> HostFunctionAnswer {
    if decision.isUnderWay {
      throw HostFunctionError.misuse(
        "lookahead.emit: a policy only decides: emit from the fetch handler, or from a loop over the source")
    }
    let stack = function.stack
    let stream = stack.string(at: 2)
    let bytes: Bytes
    do {
      bytes = try stack.withJSON(at: 1) { Bytes(copying: $0) }
    } catch {
      throw HostFunctionError.misuse("lookahead.emit: \(error.message)")
    }
    if isCheck { return .nothing }
    if let emitted {
      emitted(bytes.string, stream)
      return .nothing
    }
    let step = scheduler.running?.step
    if let step, step.isOver {
      throw HostFunctionError.misuse(
        "lookahead.emit: the step '\(step.key)' is over: wait for its tasks inside of it")
    }
    if run.goesOn, !hasWarned, step == nil, worksForPage { warn() }
    let (id, isNumbered) = id(stack)
    outbox.append(Item(id: id, bytes: bytes), stream: stream, step: step?.id, isNumbered: isNumbered)
    guard outbox.isFull else { return .nothing }
    outbox.flush()
    guard outbox.isFull, function.canWait else { return .nothing }
    outbox.block(try scheduler.waitingTask(function))
    return .waits
  }

  /// Whether what emits is a handler, or was started by one.
  private var worksForPage: Bool {
    scheduler.running.map { $0.isHandler || $0.page != nil } ?? false
  }

  /// The handlers of pages that a run before this one has read do not emit again.
  private func warn() {
    hasWarned = true
    let message =
      "a handler emits in a run that goes on: what those of the pages before have emitted without ids is gone from a database, and may be "
      + "twice in a text (--fresh reads all again; what has to go on is emitted in steps)"
    observe(.logged(level: "warn", message: message, fields: []))
  }

  /// The item's own id if it has one, else its number, and whether it is that.
  private func id(_ stack: LuaStack) -> (ItemID, isNumbered: Bool) {
    count += 1
    let own = stack.isTable(at: 1) ? stack.field("id", of: 1) { $0.itemID(at: $1) } : nil
    return (own ?? .integer(Int64(count)), own == nil)
  }
}
