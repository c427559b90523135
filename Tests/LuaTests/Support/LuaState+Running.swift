import Lua

extension LuaState {
  /// Runs a chunk with the stack as it is, and gives its first result as a plain value; tables and functions are nil.
  @discardableResult
  func run(_ text: String) throws(LuaError) -> LuaValue? {
    try load(text, name: "test.lua")
    try call(arguments: 0, results: 1)
    defer { stack.pop() }
    return stack.value(at: -1)
  }

  /// The error that a chunk ends in; nil when it ends well.
  func failure(of text: String) -> LuaError? {
    do throws(LuaError) {
      try run(text)
      return nil
    } catch {
      return error
    }
  }

  /// Takes the value off the top and makes it a global.
  func setGlobal(_ name: String) {
    pushGlobals()
    stack.insert(at: -2)
    stack.setField(name, of: -2)
    stack.pop()
  }

  /// Makes a host function known to scripts.
  func define(_ name: String, _ body: @escaping HostFunction) {
    pushHostFunction(name, body)
    setGlobal(name)
  }

  /// Makes `decode` of a JSON text and `encode` of a value known to scripts.
  func defineJSON() {
    define("decode") { call in
      var text = call.stack.string(at: 1) ?? ""
      try text.withUTF8 { try call.stack.pushJSON(UnsafeRawBufferPointer($0)) }
      return .results(1)
    }
    define("encode") { call in
      do throws(JSONError) {
        call.stack.push(try call.stack.json(at: 1))
        return .results(1)
      } catch {
        throw HostFunctionError.misuse(error.message)
      }
    }
  }

  /// A coroutine that runs a chunk.
  func coroutine(_ text: String) throws(LuaError) -> LuaCoroutine {
    try load(text, name: "test.lua")
    return LuaCoroutine(self)
  }

  /// Keeps what an expression gives.
  func reference(to expression: String) throws(LuaError) -> LuaReference {
    try load("return " + expression, name: "test.lua")
    try call(arguments: 0, results: 1)
    return stack.popReference(in: self)
  }
}
