import Testing

@Suite struct APITests {
  /// What the script API promises: a name as `lookahead.http.get`, and the type behind it.
  struct Name: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let type: String
    var testDescription: String { name }
  }

  private static let names: [Name] = cases("api")

  @Test(arguments: names)
  func `every name of the contract is there`(_ name: Name) throws {
    #expect(try printed(by: "print(type(\(name.name)))") == [name.type])
  }

  @Test func `the library holds no other names`() throws {
    let lines = try printed(
      by: """
        local function list(path, value)
          for key, inner in pairs(value) do
            print(path .. "." .. key)
            if type(inner) == "table" then list(path .. "." .. key, inner) end
          end
        end
        list("lookahead", lookahead)
        """)

    let known = Set(Self.names.filter { !$0.name.contains("()") && $0.name != "lookahead" }.map(\.name))
    #expect(Set(lines).subtracting(known).sorted() == [])
    #expect(known.subtracting(lines).sorted() == [])
  }

  @Test func `methods of objects are there`() throws {
    let script = """
      local source = lookahead.source { fetch = function(context)
        for _, name in ipairs { "append", "complete", "fail", "isCancelled" } do assert(type(context[name]) == "function", name) end
        return { items = {} }
      end }
      for _, name in ipairs { "items", "pages", "with", "itemSet" } do assert(type(source[name]) == "function", name) end
      for _ in source:items() do end
      local task = lookahead.spawn(function() end)
      assert(task.wait and task.cancel)
      local set = source:itemSet()
      for _, name in ipairs { "fetchNextPage", "fetchPage", "cancelFetch", "reset", "contains" } do assert(type(set[name]) == "function", name) end
      local context = lookahead.machine.batchContext()
      assert(context.begin and context.complete and context.cancel)
      local map = lookahead.machine.indexMap(1)
      assert(map.new and map.old)
      """

    #expect(try failure(of: script) == nil)
  }
}
