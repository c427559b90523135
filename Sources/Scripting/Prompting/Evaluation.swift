public import Lua

/// The result of evaluating a line.
public struct Evaluation {
  /// Such as `prompt:3`.
  public let name: String
  /// Its values, in order; empty if it failed.
  public let values: [PromptValue]
  /// Whether it was an expression, as opposed to statements.
  public let isExpression: Bool
  /// Whether the line ended in `;`, so that its values are not shown.
  public let isHidden: Bool
  /// Why it failed; of kind `.stopped(.interrupted)` if the user stopped it.
  public let failure: LuaError?
  /// From start to end in event time: computation between two waits takes none.
  public let duration: Duration
  /// Growth of the Lua heap in bytes; negative if it shrank.
  public let growth: Int
}

/// A Lua value held by the prompt.
public struct PromptValue: Sendable {
  let reference: LuaReference
  /// As named by Lua; `null` for JSON null.
  public let typeName: String
}

/// Whether a text is complete Lua.
public enum Completeness: Equatable, Sendable {
  /// A valid expression or statements.
  case complete
  /// More text may complete it.
  case incomplete
  /// No continuation can fix it.
  case broken(LuaError)
}

extension PromptValue {
  /// Pops the value off a stack.
  init(from stack: LuaStack, in state: LuaState) {
    typeName = stack.typeName(at: -1)
    reference = stack.popReference(in: state)
  }
}
