import CLua

/// A coroutine of the host's: a script function that may wait for host calls.
///
/// ```swift
/// let coroutine = LuaCoroutine(state)
/// switch coroutine.start(arguments: 0) {
/// case .waits: pending.append(coroutine)
/// case .finished(let results): read(coroutine.stack, results)
/// case .failed(let error): throw error
/// }
/// ```
public final class LuaCoroutine {
  private unowned let state: LuaState
  private let pointer: OpaquePointer
  /// What keeps it alive.
  private let number: Int32
  private let released: ReleasedReferences
  private var isOver = false
  private var hasFinished = false

  /// How far a coroutine got.
  public enum Progress {
    /// So many results are on its stack.
    case finished(Int)
    /// A host function answered `.waits`.
    case waits
    case failed(LuaError)
  }

  /// Takes the function off the top of the state's stack.
  public init(_ state: LuaState) {
    self.state = state
    (pointer, number) = state.makeCoroutine()
    released = state.released
  }

  deinit {
    released.add(
      .coroutine(DroppedCoroutine(pointer: pointer, number: number, hasFinished: hasFinished)))
  }

  /// Where arguments and answers are pushed, and results found.
  public var stack: LuaStack { LuaStack(pointer: pointer) }

  /// Starts the function with the `arguments` values on its stack.
  public func start(arguments: Int) -> Progress { run(values: arguments) }

  /// Goes on after a wait: `answer` leaves the results of the call that waited and says how many.
  ///
  /// An error that it throws is raised at the call that waited, as the value that `pushError` leaves.
  public func resume(
    _ answer: (LuaStack) throws(LuaError) -> Int, pushError: (LuaError, LuaStack) -> Void
  ) -> Progress {
    let base = stack.count
    stack.push(true)
    do throws(LuaError) {
      return run(values: 1 + (try answer(stack)))
    } catch {
      stack.truncate(to: base)
      stack.push(false)
      pushError(error, stack)
      return run(values: 2)
    }
  }

  /// Ends it while it waits: variables to be closed are closed, nothing else runs; after a stop not even that.
  public func cancel() {
    guard !isOver else { return }
    isOver = true
    if !state.isStopped { clua_reset_coroutine(pointer) }
  }

  private func run(values: Int) -> Progress {
    precondition(!isOver, "a coroutine that is over was resumed")
    state.releaseDropped()
    var results: Int32 = 0
    let status = clua_resume(pointer, Int32(clamping: values), &results)
    switch status {
    case CLUA_OK:
      (isOver, hasFinished) = (true, true)
      return .finished(Int(results))
    case CLUA_WAITS:
      return .waits
    case CLUA_STRAY_YIELD:
      cancel()
      return .failed(
        LuaError(.runtime, "coroutine.yield was called outside of a coroutine of the script's own"))
    default:
      return .failed(close(status))
    }
  }

  /// Reads the error, with the places that led to it, and closes what is to be closed.
  private func close(_ status: clua_status) -> LuaError {
    defer { cancel() }
    stack.move(1, to: state.stack)
    let place = state.stack.isError(at: -1) ? "" : raisingPlace
    clua_traceback(state.pointer, pointer)
    var error = state.popError(status)
    if error.kind == .runtime { error.message = place + error.message }
    return error
  }

  /// The innermost line of the script, as `feed.lua:12: `.
  private var raisingPlace: String {
    clua_push_traceback(state.pointer, pointer)
    defer { state.stack.pop() }
    let lines = (state.stack.shownString(at: -1) ?? "").split(separator: "\n").dropFirst()
      .map { $0.drop(while: \.isWhitespace) }
    let own = lines.first { !$0.hasPrefix("[C]") && !$0.hasPrefix("lookahead:") && !$0.hasPrefix("(") }
    return own?.firstRange(of: ": in ").map { "\(own?[..<$0.lowerBound] ?? ""): " } ?? ""
  }
}
