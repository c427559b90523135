import Lua
import Scripting
import Testing

@Suite struct CollectionErrorTests {
  /// What a function of an update does over the sections `{ "a", "b" }` and `{ "c" }`, and the error of it.
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let title: String
    let script: String
    let code: String
    /// The call that raises it; the whole update unless it says otherwise.
    let call: String?
    let fields: [String: Int]
    let message: String
    var testDescription: String { title }
  }

  private static let errors: [Case] = cases("collection-errors")

  @Test(arguments: errors)
  func `an update that can't be says why and leaves everything as it was`(_ example: Case) throws {
    let lines = try printed(
      by: """
        local show = lookahead.json.encode
        local data = { { "a", "b" }, { "c" } }
        local list = lookahead.collection { data = data }
        local ok, failure = pcall(function()
          list:performBatchUpdates(function(updates) \(example.script) end, function(finished) print(finished) end)
        end)
        print(tostring(failure))
        print(failure.code)
        for _, name in ipairs { "deleted", "inserted", "item", "new", "old", "section" } do
          if failure[name] then print(name .. " " .. failure[name]) end
        end
        print(show(list.pending), show(list.visible), list:lastChangeSet())
        while #data > 0 do table.remove(data) end
        data[1] = { "z" }
        list:reloadData()
        table.insert(data[1], "y")
        list:insertItems { { 1, 2 } }
        list:wait()
        print(show(list.visible))
        """)

    let call = "feed.lua:5: collection:\(example.call ?? "performBatchUpdates"): "
    let untouched = #"[["a","b"],["c"]]"#
    #expect(
      lines == [call + example.message, example.code]
        + example.fields.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
        + ["\(untouched)\t\(untouched)\tnil", "false", #"[["z","y"]]"#])
  }

  @Test func `every class of fault has a case`() {
    #expect(Set(Self.errors.map(\.code)).count == 16)
  }

  @Test func `the operations of a set that does not add up are told`() throws {
    let lines = try printed(
      by: """
        local list = lookahead.collection { data = { { 1 } } }
        local _, failure = pcall(list.performBatchUpdates, list, function(updates)
          updates:deleteItems { { 1, 1 } }
          updates:moveSection(1, 2)
        end)
        print(table.concat(failure.operations, "; "))
        """)

    #expect(lines == ["deleteItems { 1, 1 }; moveSection 1 to 2"])
  }

  @Test func `an error that nobody catches ends the run with its place, its code and its fields`() throws {
    let run = try ScriptRun(
      """
      local list = lookahead.collection { data = { { 1 } } }
      list:deleteItems { { 1, 1 } }
      """)

    #expect(run.code == "invalidItemCount")
    #expect(run.failure?.hasPrefix("feed.lua:2: collection:deleteItems: section 1 has 1 item after") == true)
  }

  @Test func `a function that fails drops its set, and the error is its own`() throws {
    let lines = try printed(
      by: """
        local mine = { "mine" }
        local data = { { 1 } }
        local list = lookahead.collection { data = data }
        local ok, failure = pcall(list.performBatchUpdates, list, function(updates)
          updates:deleteItems { { 1, 1 } }
          error(mine)
        end, function(finished) print("told", finished) end)
        print(ok, failure == mine, #list.pending[1])
        data[1][2] = 2
        list:insertItems { { 1, 2 } }
        print(#list.pending[1])
        """)

    #expect(lines == ["false\ttrue\t1", "2", "told\tfalse"])
  }

  @Test func `what an inner function did before it failed counts in the outer set`() throws {
    let lines = try printed(
      by: """
        local data = { { 1, 2 } }
        local list = lookahead.collection { data = data }
        list:performBatchUpdates(function(updates)
          pcall(list.performBatchUpdates, list, function(inner)
            table.remove(data[1], 1)
            inner:deleteItems { { 1, 1 } }
            error("late")
          end, function(finished) print("inner", finished) end)
        end, function(finished) print("outer", finished) end)
        print(#list.pending[1])
        """)

    #expect(lines == ["1", "inner\tfalse", "outer\ttrue"])
  }

  /// What an update's function, or one that gives the data, does, and the error of it.
  @Test(arguments: [
    (
      "list:performBatchUpdates(function() lookahead.sleep(1) end)",
      "lookahead.sleep waits, which is not possible here: inside a policy, a table.sort comparison, a string.gsub "
        + "replacement or the like"
    ),
    (
      "coroutine.wrap(function() list:performBatchUpdates(function() coroutine.yield() end) end)()",
      "collection:performBatchUpdates: its function may not yield: change the data in one go"
    ),
    (
      "local function again() list:performBatchUpdates(again) end again()",
      "collection:performBatchUpdates: more than 30 updates inside each other: does the function call itself?"
    ),
    (
      "count = function() list:reloadData() end list:reloadData()",
      "collection:reloadData: the collection is reading its data: numberOfSections, numberOfItems and item only "
        + "return what there is"
    ),
    (
      "count = function() return list.pending end list:reloadData()",
      "collection: the collection is reading its data: numberOfSections, numberOfItems and item only return what "
        + "there is"
    ),
    (
      "count = function() lookahead.sleep(1) end list:reloadData()",
      "lookahead.sleep waits, which is not possible here: inside a policy, a table.sort comparison, a string.gsub "
        + "replacement or the like"
    ),
    (
      "count = function() return -1 end list:reloadData()",
      "collection: numberOfItems(1): expected an integer from 0 to a hundred million, got -1"
    ),
    (
      "count = function() return 0 / 0 end list:reloadData()",
      "collection: numberOfItems(1): expected an integer from 0 to a hundred million, got"
    ),
    (
      "count = function() return 4 end list:reloadData()",
      "collection: item(1, 4): expected an item, got nothing (numberOfItems counts it, so it has to be there)"
    ),
    ("count = function() error('lost') end list:reloadData()", "lost"),
    (
      "list:apply({ { 1 } })",
      "collection:apply: the data come from functions: change what they give, and say what was changed"
    ),
    (
      "list:performBatchUpdates(function() list:apply({}) end)",
      "collection:apply: the data come from functions: change what they give, and say what was changed"
    ),
    ("list:performBatchUpdates(3)", "collection:performBatchUpdates: argument 1: expected a function, got 3"),
    ("list.insertItems {}", "collection:insertItems: expected a collection (write collection:insertItems(…)"),
    ("list:insertItem {}", "a collection has no 'insertItem' (did you mean 'insertItems'?)"),
    ("list.pending = {}", "a collection is changed by its operations only"),
    (
      "list:performBatchUpdates(function(updates) updates:insert() end)",
      "the updates of a collection have no 'insert'"
    ),
  ])
  func `whatever a function does, the collection goes on`(_ script: String, _ message: String) throws {
    let lines = try printed(
      by: """
        local words, count = { 1, 2, 3 }, nil
        local list = lookahead.collection {
          numberOfItems = function() if count then return count() end return #words end,
          item = function(section, item) return words[item] end,
        }
        print(select(2, pcall(function() \(script) end)))
        count, words[4] = nil, 4
        list:insertItems { { 1, 4 } }
        list:wait()
        print(table.concat(list.visible[1], " "))
        """)

    #expect(lines.first?.hasPrefix("feed.lua:") == true)
    #expect(lines.first?.contains(message) == true, "\(lines)")
    #expect(lines.last == "1 2 3 4")
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.collection()", message: "lookahead.collection: expected a table, got nothing"),
    ScriptCase(
      script: "lookahead.collection {}",
      message: "lookahead.collection: data is missing (or the functions numberOfItems and item)"),
    ScriptCase(
      script: "lookahead.collection { data = {}, item = print }",
      message: "lookahead.collection: data and functions say the same thing twice: set one of them"),
    ScriptCase(
      script: "lookahead.collection { datas = {} }",
      message: "lookahead.collection: unknown key 'datas' (did you mean 'data'?)"),
    ScriptCase(
      script: "lookahead.collection { data = {}, moves = \"merge\" }",
      message: "lookahead.collection: moves: expected \"real\" or \"split\", got \"merge\""),
    ScriptCase(
      script: "lookahead.collection { data = { \"a\" } }",
      message: "lookahead.collection: section 1 of the data: expected a list of items, got \"a\""),
    ScriptCase(
      script: "lookahead.collection { data = { { id = 1, name = \"x\" } } }",
      message: "lookahead.collection: section 1 of the data: expected a list of items, got named keys"),
  ])
  func `a wrong declaration is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == "feed.lua:1: " + example.message)
  }

  /// What never ends, or holds too much, in a function of a collection.
  @Test(arguments: [
    "list:performBatchUpdates(function() while true do end end)",
    "pcall(list.performBatchUpdates, list, function() pcall(function() while true do end end) end)",
    "count = function() while true do end end list:reloadData()",
    "count = function() return 100000000 end list:reloadData()",
    "lookahead.machine.difference({ 1 }, { 1 }, { id = function() while true do end end })",
  ])
  func `what never ends is stopped as everywhere`(_ script: String) throws {
    let run = try ScriptRun(
      """
      local count
      local list = lookahead.collection {
        numberOfItems = function() if count then return count() end return 1 end,
        item = function(section, item) return item end,
      }
      \(script)
      print("never")
      """
    ) { $0.budget.burst = .milliseconds(50) }

    #expect(run.isFinished)
    #expect(run.printed == [])
    #expect(run.failure?.contains("the script ran longer than its time budget") == true)
  }
}
