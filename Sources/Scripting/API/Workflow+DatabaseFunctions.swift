import Items
import Lua
import Paging

/// Host functions on SQLite.
extension Workflow {
  func defineDatabases(in host: HostTable) {
    host.add("openDatabase", "sqlite.open") { [unowned self] call in
      let isReadOnly = call.stack.truth(at: 2)
      return try wait(call, for: .openDatabase(path: path(call), isReadOnly: isReadOnly), pushHandle)
    }
    host.add("query", "db:query") { [unowned self] call in
      let (handle, statement) = try statement(call)
      return try wait(call, for: .query(handle: handle, statement)) {
        [unowned self] reply, stack throws(LuaError) in
        guard case .bytes(let rows) = reply else { return 0 }
        try push(json: rows, on: stack)
        return 1
      }
    }
    host.add("openRows", "db:rows") { [unowned self] call in
      let (handle, statement) = try statement(call)
      return try wait(call, for: .openRows(handle: handle, statement), pushHandle)
    }
    host.add("nextRows", "db:rows") { [unowned self] call in
      let stack = call.stack
      let next = HostCall.nextRows(
        handle: Int(stack.integer(at: 1) ?? 0), limit: Int(stack.integer(at: 2) ?? 1))
      return try wait(call, for: next) { [unowned self] reply, stack throws(LuaError) in
        guard case .rows(let rows, let isEnd) = reply else { return 0 }
        try push(json: rows, on: stack)
        stack.push(isEnd)
        return 2
      }
    }
    host.add("execute", "db:execute") { [unowned self] call in
      let (handle, statement) = try statement(call)
      return try wait(call, for: .execute(handle: handle, statement)) { reply, stack in
        guard case .count(let count) = reply else { return 0 }
        stack.push(count)
        return 1
      }
    }
  }

  /// (handle, sql, parameters): a list for `?`, names for `:name`.
  private func statement(_ call: HostFunctionCall) throws -> (Int, SQLStatement) {
    let stack = call.stack
    var statement = SQLStatement(stack.string(at: 2) ?? "")
    guard stack.isTable(at: 3) else { return (Int(stack.integer(at: 1) ?? 0), statement) }
    var byPosition: [Int: SQLValue] = [:]
    var problem: String?
    stack.forEachPair(of: 3) { stack in
      let value = sqlValue(stack, at: -1)
      if value == nil { problem = stack.typeName(at: -1) }
      if let position = stack.integer(at: -2) {
        byPosition[Int(position)] = value
      } else if let name = stack.string(at: -2) {
        statement.named[name] = value
      }
    }
    if let problem {
      throw HostFunctionError.misuse("\(call.name): a parameter is a \(problem), which SQL has no value for")
    }
    let count = byPosition.keys.max() ?? 0
    statement.positional = (0..<count).map { byPosition[$0 + 1] ?? .null }
    return (Int(stack.integer(at: 1) ?? 0), statement)
  }

  private func sqlValue(_ stack: LuaStack, at index: Int) -> SQLValue? {
    switch stack.value(at: index) {
    case .nil?, .null?: .null
    case .boolean(let value)?: .integer(value ? 1 : 0)
    case .integer(let value)?: .integer(value)
    case .number(let value)?: .real(value)
    case .string(let value)?: .text(value)
    case nil: nil
    }
  }
}
