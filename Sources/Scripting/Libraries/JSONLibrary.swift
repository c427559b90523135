import Items
import Lua
import Paging

/// JSON: texts, and files page by page.
final class JSONLibrary: ScriptLibrary {
  private let calls: HostCalls
  private let folder: ScriptFolder
  private let account: LuaAccount

  init(_ calls: HostCalls, _ folder: ScriptFolder, _ account: LuaAccount) {
    self.calls = calls
    self.folder = folder
    self.account = account
  }

  func register(in host: HostTable) {
    host.add("jsonDecode", "json.decode") { [unowned self] call in
      let bytes = call.stack.withBytes(at: 1) { Bytes(copying: $0) } ?? .empty
      return call.stack.answer(json: BytesOwner(IndexedJSON(bytes), on: account))
    }
    host.add("listPage", "json.page") { [unowned self] call in
      let stack = call.stack
      let file = folder.path(call)
      let at = DefinitionFields(stack: stack, table: 2).texts
      let place = stack.isTable(at: 3) ? try Self.place(stack, 3) : nil
      let limit = try stack.count(at: 4, "elements of a page") ?? 1
      let page = HostCall.listPage(path: file, at: at, from: place, limit: limit)
      return try calls.wait(call, for: page) { [unowned self] reply, stack throws(LuaError) in
        guard case .page(let page) = reply else { return 0 }
        do throws(JSONError) { try stack.push(BytesOwner(page.elements, on: account)) } catch {
          throw error.isMemory ? LuaError(error) : Self.placed(error, of: page, in: file)
        }
        Self.push(page.next, on: stack)
        return 2
      }
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

  private static let placeNames = ["offset", "size", "changed"]

  /// The place that a page's key tells.
  private static func place(_ stack: LuaStack, _ index: Int) throws -> FilePlace {
    var numbers: [Int64] = []
    for name in placeNames {
      stack.pushField(name, of: index)
      defer { stack.pop() }
      guard let number = stack.integer(at: -1) else {
        throw HostFunctionError.misuse(
          "json.page: key: expected the nextKey of an earlier page, or nil for the first")
      }
      numbers.append(number)
    }
    return FilePlace(offset: numbers[0], size: numbers[1], changed: numbers[2])
  }

  private static func push(_ place: FilePlace?, on stack: LuaStack) {
    guard let place else { return stack.pushNil() }
    stack.pushTable(fields: 3)
    for (name, number) in zip(placeNames, [place.offset, place.size, place.changed]) {
      stack.setField(name, of: -1, to: .integer(number))
    }
  }

  /// An error among the elements of a page, with its place in the file.
  private static func placed(_ error: JSONError, of page: FilePage, in file: String) -> LuaError {
    let line = error.line ?? 1, column = error.column ?? 1
    let start = page.elements.text.withUnsafeBytes { bytes in
      let breaks = bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }
      return line > 1 ? breaks.dropFirst(line - 2).first.map { $0 + 1 } ?? 0 : 0
    }
    // The bracket in front of them is none of the file's.
    let byte = Int(page.start) + max(1, start + column - 1)
    return LuaError(.runtime, "\(file), byte \(byte.grouped): \(error.message)", code: "parse")
  }
}
