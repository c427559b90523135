import Testing

/// What is no plain list is refused where a list is expected, and what is no data where data are.
@Suite struct PlainListTests {
  /// An item set, and a table that has nothing but answers for an element.
  private static let others = """
    local other = lookahead.source { name = "other", fetch = function() return { items = { { id = 1 } } } end }
    local set, task = other:itemSet(), lookahead.spawn(function() end)
    local proxy = setmetatable({}, { __index = function(_, place) if place == 1 then return { id = 1 } end end })
    local long = setmetatable({}, { __len = function() return 1 end })

    """

  private static let elsewhere = ", but this table has no elements, only its metatable gives some"

  @Test(arguments: [
    ("set", "", "item set"), ("other", "", "source"), ("task", "", "task"), ("lookahead", "", "library"),
    ("lookahead.http", "", "library"), ("proxy", elsewhere, "table"), ("long", elsewhere, "table"),
    ("{ data = {} }", ", but this table has no elements, only members such as 'data'", "table"),
  ])
  func `a page of what is no list is refused`(value: String, mistake: String, type: String) throws {
    func failure(_ body: String) throws -> String? {
      try ScriptRun(
        "\(Self.others)return lookahead.source { name = \"s\", fetch = function(context) \(body) end }"
      ).failure
    }

    #expect(
      try failure("return { items = \(value) }")
        == "feed.lua:5: fetch returned a page without items (expected a list of items\(mistake), got \(type))"
    )
    #expect(
      try failure("context:append(\(value))")
        == "feed.lua:5: context:append: expected a list of items\(mistake), got \(type)")
    #expect(
      try failure("return { items = {}, removed = \(value) }")
        == "feed.lua:5: fetch returned a page whose removed is \(type) (expected a list of ids\(mistake))")
  }

  @Test(arguments: [("set", "item set"), ("proxy", "table")])
  func `a transform does not answer with what is no list`(value: String, type: String) throws {
    let message = try failure(
      of: """
        \(Self.others)
        return lookahead.source {
          transform = function() return \(value) end,
          fetch = function() return { items = { { id = 1 } } } end,
        }
        """)

    let expected = "transform: expected an item, nil or a list of items"
    #expect(message?.contains(expected) == true, "\(message ?? "")")
    #expect(message?.hasSuffix(", got \(type)") == true, "\(message ?? "")")
  }

  @Test(
    arguments: [
      "lookahead.map(V, 2, print)", "lookahead.all(V)", "lookahead.each(V, { key = tostring }, print)",
      "lookahead.prefetcher { fetch = print }:prefetch(V)", "lookahead.csv.encode(V)",
      "lookahead.collection { data = V }", "lookahead.collection { data = { {} } }:apply(V)",
      "lookahead.collection { data = { V } }",
    ], ["set", "proxy", "long"])
  func `other lists are plain too`(call: String, value: String) throws {
    let message = try failure(of: Self.others + call.replacing("V", with: value))

    #expect(message?.contains("expected a list") == true, "\(message ?? "")")
  }

  @Test(arguments: [
    "{ __index = List }", "{ __index = List, __len = rawlen }", "{ __tostring = List.text }",
    "{ __index = function(_, name) error('no member ' .. name) end }",
  ])
  func `lists with a metatable of the script's own are lists, empty or not`(metatable: String) throws {
    let run = try ScriptRun(
      """
      local List = { text = function() return "a list" end }
      local function list(items) return setmetatable(items, \(metatable)) end
      return lookahead.source { keys = "page", transform = function(item) return list { item } end,
        fetch = function(context)
          local items = list {}
          if context.key < 3 then items[1] = { id = context.key } end
          return { items = items, removed = list {} }
        end }
      """)

    #expect(run.failure == nil)
    #expect(run.items() == [#"{"id":1}"#, #"{"id":2}"#])
  }

  @Test(arguments: [
    ("set", "a value of lookahead (itemSet)"), ("other", "a value of lookahead (source)"),
    ("task", "a value of lookahead (task)"), ("lookahead.policy.ramp()", "a value of lookahead (policy)"),
    ("lookahead", "the library lookahead"), ("lookahead.http", "the library lookahead"),
  ])
  func `what is no data is not emitted, and is in no item`(value: String, name: String) throws {
    #expect(
      try failure(of: "\(Self.others)lookahead.emit(\(value))")
        == "feed.lua:5: lookahead.emit: \(name) can't be written as JSON")
    #expect(
      try failure(of: "\(Self.others)lookahead.emit { a = { b = \(value) } }")
        == "feed.lua:5: lookahead.emit: a.b: \(name) can't be written as JSON")
    let page = "{ items = { { id = 1, a = \(value) } } }"
    #expect(
      try failure(of: "\(Self.others)return lookahead.source { fetch = function() return \(page) end }")
        == "feed.lua:5: fetch: item 1: a: \(name) can't be written as JSON")
  }

  @Test func `what has something of its own is data`() throws {
    let run = try ScriptRun(
      """
      local _, failure = lookahead.try(lookahead.fs.read, "none.txt")
      lookahead.emit(failure)
      lookahead.emit(setmetatable({}, { __index = { a = 1 } }))
      lookahead.emit { a = setmetatable({ b = 1 }, { __index = print }) }
      """)

    #expect(run.failure == nil)
    #expect(run.items()[0].contains(#""code":"notFound""#))
    #expect(run.items()[1...] == ["{}", #"{"a":{"b":1}}"#])
  }
}
