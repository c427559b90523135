import Items
import Lua
import Paging

/// JSON: texts, response bodies, and files page by page.
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
    host.add("listPage", "json.page") { [unowned self] call in
      let stack = call.stack
      let file = folder.path(call)
      let at = DefinitionFields(stack: stack, table: 2).texts
      let place = stack.isTable(at: 3) ? try Self.place(stack, 3) : nil
      let limit = try stack.count(at: 4, "elements of a page") ?? 1
      let page = HostCall.listPage(path: file, at: at, from: place, limit: limit)
      return try calls.wait(call, for: page) { [unowned self] reply, stack throws(LuaError) in
        guard case .page(let page) = reply else { return 0 }
        do throws(LuaError) {
          try stack.push(json: page.elements, on: account)
        } catch {
          throw error.code == "parse"
            ? LuaError(
              .runtime, "\(file), among the elements \(Self.shown(place)): \(error.message)", code: "parse")
            : error
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

  private static func shown(_ place: FilePlace?) -> String {
    place.map { "from byte \(Int($0.offset + 1).grouped) on" } ?? "at the start"
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
