/// What a script may use of the machine, its own work and what is done for it together.
///
/// Whoever works for a script outside of its Lua state pays here: a query, a session of the lab, an answer that is held.
public struct ScriptAccount: Sendable {
  /// Pays for processor time that was used for the script; false when it has none left, or is stopped: then the work ends.
  /// From any thread.
  public var spend: @Sendable (_ time: Duration) -> Bool
  /// The most bytes that one answer may have: a body, a file, the rows of a query.
  public var largestAnswer: Int
  /// The most bytes that the machinery behind the answers, such as a database's, may hold.
  public var memory: Int

  public init(
    largestAnswer: Int = 256 << 20, memory: Int = 1 << 30,
    spend: @escaping @Sendable (_ time: Duration) -> Bool = { _ in true }
  ) {
    self.largestAnswer = largestAnswer
    self.memory = memory
    self.spend = spend
  }
}
