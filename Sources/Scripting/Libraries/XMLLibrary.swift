import Items
import Lua

/// XML, which the host reads.
final class XMLLibrary: ScriptLibrary {
  private let decode: (_ text: [UInt8]) throws(TextFault) -> Bytes
  private let account: LuaAccount

  init(_ decode: @escaping (_ text: [UInt8]) throws(TextFault) -> Bytes, _ account: LuaAccount) {
    self.decode = decode
    self.account = account
  }

  func register(in host: HostTable) {
    host.add("xmlDecode", "xml.decode") { [unowned self] call in
      let stack = call.stack
      do throws(TextFault) {
        let json = try decode(stack.withBytes(at: 1) { Array($0) } ?? [])
        try push(json, on: stack)
        return .results(1)
      } catch {
        stack.pushNil()
        stack.push(error.message)
        stack.push(LuaValue.integer(Int64(error.line)))
        stack.push(LuaValue.integer(Int64(error.column)))
        return .results(4)
      }
    }
  }

  private func push(_ json: Bytes, on stack: LuaStack) throws(TextFault) {
    do throws(JSONError) { try stack.push(BytesOwner(IndexedJSON(json), on: account)) } catch {
      throw TextFault(message: error.message, line: 1, column: 1)
    }
  }
}
