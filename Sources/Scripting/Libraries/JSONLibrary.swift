import Items
import Lua

/// JSON, and response bodies.
final class JSONLibrary: ScriptLibrary {
  private let account: LuaAccount

  init(_ account: LuaAccount) {
    self.account = account
  }

  func register(in host: HostTable) {
    host.add("jsonDecode", "json.decode") { [unowned self] call in
      let bytes = call.stack.withBytes(at: 1) { Bytes(copying: $0) } ?? .empty
      return try pushJSON(bytes, on: call.stack)
    }
    host.add("bodyJSON", "response:json") { [unowned self] call in
      guard let body = call.stack.owner(at: 1) as? BytesOwner else {
        throw HostFunctionError.misuse("response:json: write response:json(), not response.json()")
      }
      return try pushJSON(body.bytes, on: call.stack)
    }
    host.add("bodyText", "response.body") { call in
      guard let body = call.stack.owner(at: 1) as? BytesOwner else { return .nothing }
      body.bytes.withUnsafeBytes { call.stack.push(bytes: $0) }
      return .results(1)
    }
    host.add("jsonEncode", "json.encode") { call in
      do throws(JSONError) {
        let indent = call.stack.truth(at: 2) ? 2 : 0
        try call.stack.withJSON(at: 1, indent: indent) { call.stack.push(bytes: $0) }
      } catch {
        throw HostFunctionError.misuse("json.encode: \(error.message)")
      }
      return .results(1)
    }
    host.add("jsonArray", "json.array") { call in
      call.stack.markArray(at: 1)
      call.stack.pushCopy(of: 1)
      return .results(1)
    }
  }

  /// The value; or nil, the message, line and column.
  private func pushJSON(_ bytes: Bytes, on stack: LuaStack) throws -> HostFunctionAnswer {
    let owner = BytesOwner(bytes, on: account)
    do throws(JSONError) {
      try bytes.withUnsafeBytes { text throws(JSONError) in
        try stack.pushJSON(text, padding: bytes.padding, owner: owner)
      }
      return .results(1)
    } catch {
      stack.pushNil()
      stack.push(error.message)
      stack.push(error.line.map { .integer(Int64($0)) } ?? .nil)
      stack.push(error.column.map { .integer(Int64($0)) } ?? .nil)
      return .results(4)
    }
  }
}
