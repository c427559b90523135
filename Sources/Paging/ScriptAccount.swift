/// What a script may use of the machine, for its own work and for work done on its behalf.
///
/// Work done for a script outside its Lua state is charged here: a query, a lab session, a held answer.
public struct ScriptAccount: Sendable {
  /// Charges processor time used for the script; false if none is left or the script is stopped: the work then ends.
  /// Callable from any thread.
  public var spend: @Sendable (_ time: Duration) -> Bool
  /// Maximum bytes of one answer: a body, a file, the rows of a query.
  public var largestAnswer: Int
  /// Maximum bytes held by the machinery behind the answers, such as a database.
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
