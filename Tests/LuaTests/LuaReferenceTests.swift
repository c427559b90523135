import Foundation
import Lua
import Testing

@Suite struct LuaReferenceTests {
  let state = LuaState()

  @Test func `a reference keeps its value alive`() throws {
    var reference: LuaReference? = try state.reference(to: "{ 42 }")
    state.collect()
    state.stack.push(reference!)
    state.stack.pushElement(1, of: -1)

    #expect(state.stack.value(at: -1) == .integer(42))
    reference = nil
  }

  @Test func `references that another thread dropped are let go at the next turn`() throws {
    let tally = Tally()
    for _ in 0..<100 {
      state.stack.push(owner: Token(tally))
      let box = Box(state.stack.popReference(in: state))
      let isOver = DispatchSemaphore(value: 0)
      Thread {
        box.reference = nil
        isOver.signal()
      }.start()
      isOver.wait()
    }
    state.collect()
    #expect(tally.living == 100)

    try state.run("return 1")
    state.collect()

    #expect(tally.living == 0)
  }

  @Test func `a reference may outlive its state`() throws {
    var state: LuaState? = LuaState()
    var reference = try state?.reference(to: "{}")

    state = nil
    reference = nil

    #expect(reference == nil)
  }

  /// Hands a reference to another thread.
  private final class Box: @unchecked Sendable {
    var reference: LuaReference?
    init(_ reference: LuaReference) { self.reference = reference }
  }
}
