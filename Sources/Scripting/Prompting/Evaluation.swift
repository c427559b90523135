public import Lua

/// What became of a line.
public struct Evaluation {
  /// As `prompt:3`.
  public let name: String
  /// What it gave, in order; empty when it failed.
  public let values: [PromptValue]
  /// The line was an expression, and not statements.
  public let isExpression: Bool
  /// The line ended in `;`: its values are not to be shown.
  public let isHidden: Bool
  /// Why it did not come to its end; the kind is `.stopped(.interrupted)` when a person stopped it.
  public let failure: LuaError?
  /// From its beginning to its end, as the events told the time: what is computed between two waits takes none.
  public let duration: Duration
  /// Bytes that the Lua heap has grown by; negative when it has shrunk.
  public let growth: Int
}

/// A Lua value that the prompt holds on to.
public struct PromptValue: Sendable {
  let reference: LuaReference
  /// In the words of Lua; `null` for JSON null.
  public let typeName: String
}

/// What a text is to Lua.
public enum Completeness: Equatable, Sendable {
  /// An expression or statements.
  case complete
  /// More of it could make it so.
  case incomplete
  /// No continuation can mend it.
  case broken(LuaError)
}

extension PromptValue {
  /// Takes the value off the top of a stack.
  init(from stack: LuaStack, in state: LuaState) {
    typeName = stack.typeName(at: -1)
    reference = stack.popReference(in: state)
  }
}
