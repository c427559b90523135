import Items
import Lua
import Paging

/// Databases: those of SQLite, and those that need a driver.
final class DatabaseLibrary: ScriptLibrary {
  private let calls: HostCalls
  private let folder: ScriptFolder
  private let account: LuaAccount

  init(_ calls: HostCalls, _ folder: ScriptFolder, _ account: LuaAccount) {
    self.calls = calls
    self.folder = folder
    self.account = account
  }

  func register(in host: HostTable) {
    host.add("openDatabase", "sqlite.open") { [unowned self] call in
      let isReadOnly = call.stack.truth(at: 2)
      let isInMemory = call.stack.string(at: 1) == ":memory:"
      let path = isInMemory ? ":memory:" : folder.path(call)
      return try calls.wait(
        call, for: .openDatabase(path: path, isReadOnly: isReadOnly), HostCalls.pushHandle)
    }
    host.add("connectDatabase", "database.open") { [unowned self] call in
      let stack = call.stack
      let text = stack.string(at: 1) ?? ""
      let isPath = !text.contains("://") && !text.hasPrefix("adbc:")
      return try calls.wait(
        call,
        for: .connectDatabase(
          address: isPath ? folder.path(call) : text, isReadOnly: stack.truth(at: 2),
          timeout: stack.number(at: 3).map(Duration.init(limitedSeconds:)) ?? .seconds(600)),
        HostCalls.pushHandle)
    }
    host.add("query", "db:query") { [unowned self] call in
      let (handle, statement) = try statement(call)
      return try calls.wait(call, for: .query(handle: handle, statement)) {
        [unowned self] reply, stack throws(LuaError) in
        switch reply {
        case .rows(let rows, _): try stack.push(rows, on: account)
        // A recording of an earlier version.
        case .bytes(let text): try stack.push(json: text, on: account)
        default: return 0
        }
        return 1
      }
    }
    host.add("openRows", "db:rows") { [unowned self] call in
      let (handle, statement) = try statement(call)
      return try calls.wait(call, for: .openRows(handle: handle, statement), HostCalls.pushHandle)
    }
    host.add("nextRows", "db:rows") { [unowned self] call in
      let stack = call.stack
      let next = HostCall.nextRows(
        handle: stack.handle(at: 1), limit: try stack.count(at: 2, "rows at once") ?? 1)
      return try calls.wait(call, for: next) { [unowned self] reply, stack throws(LuaError) in
        guard case .rows(let rows, let isEnd) = reply else { return 0 }
        try stack.push(rows, on: account)
        stack.push(isEnd)
        return 2
      }
    }
    host.add("execute", "db:execute") { [unowned self] call in
      let (handle, statement) = try statement(call)
      return try calls.wait(call, for: .execute(handle: handle, statement)) { reply, stack in
        guard case .count(let count) = reply else { return 0 }
        stack.push(count)
        return 1
      }
    }
  }

  /// (handle, sql, parameters): a list for `?` and `$1`, names for `:name`.
  private func statement(_ call: HostFunctionCall) throws -> (Int, SQLStatement) {
    let stack = call.stack
    var statement = SQLStatement(stack.string(at: 2) ?? "")
    guard stack.isTable(at: 3) else { return (stack.handle(at: 1), statement) }
    var byPosition: [Int: SQLValue] = [:]
    var problem: String?
    stack.forEachPair(of: 3) { stack in
      let value = sqlValue(stack, at: -1)
      if value == nil { problem = "a parameter is a \(stack.typeName(at: -1)), which SQL has no value for" }
      if stack.isString(at: -2), let name = stack.string(at: -2) {
        statement.named[name] = value
      } else if let position = stack.integer(at: -2), 1...Self.mostParameters ~= position {
        byPosition[Int(position)] = value
      } else {
        problem =
          "parameters: expected names, or positions from 1 to \(Self.mostParameters), got \(stack.shown(at: -2))"
      }
    }
    if let problem { throw HostFunctionError.misuse("\(call.name): \(problem)") }
    let count = byPosition.keys.max() ?? 0
    statement.positional = (0..<count).map { byPosition[$0 + 1] ?? .null }
    return (stack.handle(at: 1), statement)
  }

  /// SQLite's limit for one statement.
  private static let mostParameters: Int64 = 32_766

  private func sqlValue(_ stack: LuaStack, at index: Int) -> SQLValue? {
    switch stack.value(at: index) {
    case .nil?, .null?: .null
    case .boolean(let value)?: .boolean(value)
    case .integer(let value)?: .integer(value)
    case .number(let value)?: .real(value)
    case .string(let value)?: .text(value)
    case nil: nil
    }
  }
}
