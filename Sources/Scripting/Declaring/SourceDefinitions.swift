import Lua
import Paging

/// Reads the sources of a script, with the command line's settings.
struct SourceDefinitions {
  private let prelude: Prelude
  private let overrides: SourceOverrides
  private let seed: UInt64
  private let terms = SourceTerms()

  init(_ prelude: Prelude, overrides: SourceOverrides, seed: UInt64) {
    self.prelude = prelude
    self.overrides = overrides
    self.seed = seed
  }

  /// Whether the value at `index` is a source.
  func isSource(_ stack: LuaStack, at index: Int) throws(LuaError) -> Bool {
    try prelude.call("isSource", with: index, of: stack)
    defer { prelude.state.stack.pop() }
    return prelude.state.stack.truth(at: -1)
  }

  /// The definition of the source whose partitions the value at `index` stands for; nil for anything else.
  func partitioned(_ stack: LuaStack, at index: Int) throws -> SourceDefinition? {
    try prelude.call("partitioned", with: index, of: stack)
    defer { prelude.state.stack.pop() }
    guard !prelude.state.stack.isNil(at: -1) else { return nil }
    return try sealed(prelude.state.stack, at: prelude.state.stack.absolute(-1))
  }

  /// The name of the source that the value at `index` is, or whose partitions it stands for; nil for anything else.
  func name(_ stack: LuaStack, at index: Int) throws(LuaError) -> String? {
    try prelude.call("returnedName", with: index, of: stack)
    defer { prelude.state.stack.pop() }
    return prelude.state.stack.string(at: -1)
  }

  /// The definition of the source at `index`.
  func sealed(_ stack: LuaStack, at index: Int) throws -> SourceDefinition {
    try prelude.call("sealed", with: index, of: stack)
    defer { prelude.state.stack.pop() }
    do throws(InvalidConfiguration) {
      return try read(prelude.state.stack, at: -1)
    } catch {
      throw LuaError(.runtime, error.text)
    }
  }

  /// The sealed definition passed to a host function at `index`.
  func definition(_ call: HostFunctionCall, at index: Int) throws -> SourceDefinition {
    do throws(InvalidConfiguration) {
      return try read(call.stack, at: index)
    } catch {
      throw HostFunctionError.misuse(error.text)
    }
  }

  /// The definition table at `index`.
  func read(_ stack: LuaStack, at index: Int) throws(InvalidConfiguration) -> SourceDefinition {
    try SourceDefinition(prelude.state, at: index, on: stack, overrides: overrides, seed: seed, terms)
  }

  /// What is wrong with the numbers of the definition table at `index`, regardless of the command line; nil for
  /// nothing.
  func mistake(_ stack: LuaStack, at index: Int) -> String? {
    do throws(InvalidConfiguration) {
      _ = try SourceDefinition(
        prelude.state, at: index, on: stack, overrides: SourceOverrides(), seed: seed, SourceTerms())
      return nil
    } catch {
      return error.text
    }
  }
}
