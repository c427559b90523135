import CLua

/// What scripts may use before they are stopped. Zero is no limit.
///
/// ```swift
/// state.setBudget(LuaBudget(memory: 64 << 20, burst: .seconds(1)))
/// ```
public struct LuaBudget: Sendable, Equatable {
  /// Bytes of the Lua heap.
  public var memory: Int
  /// Time between two waits.
  public var burst: Duration
  /// Time in all, waits not counted.
  public var total: Duration
  /// Instructions of one decision of a policy.
  public var instructionsPerDecision: Int
  /// Time that a stopped script has to come out of one long call of the library, before it counts as stuck.
  public var grace: Duration

  public init(
    memory: Int = 1 << 30, burst: Duration = .seconds(10), total: Duration = .zero,
    instructionsPerDecision: Int = 100_000, grace: Duration = .seconds(5)
  ) {
    self.memory = memory
    self.burst = burst
    self.total = total
    self.instructionsPerDecision = instructionsPerDecision
    self.grace = grace
  }
}

extension LuaState {
  /// Sets the limits for all that runs from here on. `stuck` is called, on another thread, when a stopped script sits
  /// in one long call of the library and cannot be reached.
  public func setBudget(_ budget: LuaBudget, stuck: (@convention(c) () -> Void)? = nil) {
    clua_set_memory_limit(pointer, budget.memory)
    clua_on_stuck(pointer, stuck, seconds(budget.grace))
    clua_set_time_limits(pointer, seconds(budget.burst), seconds(budget.total))
  }

  /// Bytes that scripts may hold; zero is no limit.
  public func limitMemory(_ bytes: Int) { clua_set_memory_limit(pointer, bytes) }

  /// Begins the time in all anew.
  public func renewTime() { clua_renew_time(pointer) }

  /// Stops what runs now, and refuses to run more until `clearStop`.
  public func stop() { clua_stop(pointer, CLUA_STOP_INTERRUPT) }

  /// Lets scripts run again.
  public func clearStop() { clua_clear_stop(pointer) }

  /// Lets scripts run again that have met a limit; what `stop` has stopped stays so.
  public func clearLimit() { clua_clear_limit(pointer) }

  /// Whether `stop` was called, and holds.
  public var isInterrupted: Bool { clua_stopped(pointer) == CLUA_STOP_INTERRUPT }

  /// Whether a stop holds.
  public var isStopped: Bool { clua_stopped(pointer) != CLUA_RUNNING }

  /// Collects everything that is not reachable.
  public func collect() { clua_collect(pointer) }

  /// Collects nothing while the body makes what is there to stay.
  public func withoutCollecting(_ body: () throws(LuaError) -> Void) throws(LuaError) {
    clua_pause_collector(pointer)
    defer { clua_resume_collector(pointer) }
    try body()
  }

  private func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
