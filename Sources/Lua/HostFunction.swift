import CLua

/// A function of the host that scripts call: it finds its arguments on the call's stack and answers in one of three ways.
public typealias HostFunction = (HostFunctionCall) throws -> HostFunctionAnswer

/// How a host function answers.
public enum HostFunctionAnswer: Sendable {
  /// So many results are on the top of the stack.
  case results(Int)
  /// The coroutine is suspended; `LuaCoroutine.resume` brings the results. Only where `canWait`.
  case waits

  /// No results.
  public static let nothing = HostFunctionAnswer.results(0)
}

/// One call of a host function.
///
/// ```swift
/// state.pushHostFunction("double") { call in
///   call.stack.push((call.stack.number(at: 1) ?? 0) * 2)
///   return .results(1)
/// }
/// ```
public struct HostFunctionCall {
  /// Arguments from 1; results are pushed on top.
  public let stack: LuaStack
  /// How the function is known to scripts.
  public let name: String

  /// Whether the caller may be suspended here.
  public var canWait: Bool { clua_can_wait(stack.pointer) }

  /// The error for a call that would have to wait where it cannot.
  public var cannotWait: HostFunctionError {
    .misuse(
      "\(name) waits, which is not possible here: inside a policy, a table.sort comparison, a string.gsub "
        + "replacement or the like")
  }
}

/// An error that a host function raises in the script.
public enum HostFunctionError: Error {
  /// A wrong use, raised at the caller's line as a text.
  case misuse(String)
  /// The error value is on the top of the stack.
  case value
}

final class HostFunctionBox {
  let name: String
  let body: HostFunction

  init(name: String, body: @escaping HostFunction) {
    self.name = name
    self.body = body
  }
}

/// Serves every host function: runs the closure and says in a number what the C side is to do. No Lua error passes here.
func callHostFunction(_ pointer: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let pointer, let context else { return CLUA_RAISE }
  let box = Unmanaged<HostFunctionBox>.fromOpaque(context).takeUnretainedValue()
  let call = HostFunctionCall(stack: LuaStack(pointer: pointer), name: box.name)
  do {
    switch try box.body(call) {
    case .results(let count): return Int32(clamping: count)
    case .waits: return CLUA_WAIT
    }
  } catch HostFunctionError.value {
    return CLUA_RAISE
  } catch HostFunctionError.misuse(let message) {
    return raise(message, at: call.stack)
  } catch let error as LuaError where error.kind == .runtime {
    call.stack.push(error.message)
    return CLUA_RAISE
  } catch let error as LuaError {
    return raise("\(box.name): \(error.message)", at: call.stack)
  } catch {
    return raise("\(box.name): \(error)", at: call.stack)
  }
}

private func raise(_ message: String, at stack: LuaStack) -> Int32 {
  stack.pushScriptPlace()
  let place = stack.shownString(at: -1) ?? ""
  stack.pop()
  stack.push(place + message)
  return CLUA_RAISE
}
