import Paging
import Scripting
import Testing

/// Objects of the host: what the description says of them is what scripts find.
@Suite struct DescriptionObjectsTests {
  /// How scripts get hold of an object of a class: Lua code that ends in `local object = …`.
  private static let objects: [String: String] = [
    "Source": "local object = lookahead.source { fetch = print, prefetchItem = print, parameters = {} }",
    "Context": """
    local object
    local source = lookahead.source { keys = "page", parameters = {}, fetch = function(context)
      object = context
      context.nextKey, context.total = 2, 0
      return { items = {} }
    end }
    local set = source:itemSet()
    set.query = {}
    set:fetchNextPage()
    """,
    "Error": """
    local _, object = lookahead.try(lookahead.json.decode, "[")
    """,
    "Null": "local object = lookahead.null",
    "Policy": "local object = lookahead.policy { name = 'mine', shouldBatchFetch = print }",
    "ItemSet": """
    local object = lookahead.source { keys = "page", fetch = function() return { items = { { id = 1 } }, total = 1 } end }:itemSet()
    object:fetchNextPage()
    """,
    "Partitions": "local object = lookahead.source { fetch = print }:partitions({}, print)",
    "Prefetcher": "local object = lookahead.prefetcher { fetch = print }",
    "PrefetcherStats": "local object = lookahead.prefetcher { fetch = print }.stats",
    "PrefetchContext": """
    local object
    lookahead.prefetcher { fetch = function(_, context) object = context return 1 end }:get(1)
    """,
    "Task": "local object = lookahead.spawn(function() end)",
    "Collection": "local object = lookahead.collection { data = {} }",
    "ChangeSet": """
    local list = lookahead.collection { data = {} }
    list:apply { { 1 } }
    local object = list:lastChangeSet()
    """,
    "Updates": """
    local object
    lookahead.collection({ data = {} }):performBatchUpdates(function(updates) object = updates end)
    """,
    "Operations": "local object = lookahead.machine.difference({ 1 }, { 2 })",
    "ItemMove": "local object = lookahead.machine.difference({ 1, 2 }, { 2, 1 }).movedItems[1]",
    "SectionMove":
      "local object = lookahead.machine.difference({ { 1, id = 1 }, { 2, id = 2 } }, { { 2, id = 2 }, { 1, id = 1 } }).movedSections[1]",
    "Response": "local object = lookahead.http.get('https://example.com/')",
    "Login":
      "local object = lookahead.oauth2 { tokenURL = 'https://a/', clientID = 'a', clientSecret = 'b' }",
    "Element": "local object = lookahead.xml.decode('<a/>')",
    "URLParts": "local object = lookahead.url.parse('https://example.com:8080/a?b=1#c')",
    "Database": "local object = lookahead.sqlite.open('a.db')",
    "Workload": "local object = lookahead.workload {}",
    "Network": "local object = lookahead.network {}",
    "Experiment": "local object = lookahead.experiment {}",
    "Result": "local object = lookahead.lab.run(lookahead.experiment {})",
    "BatchContext": "local object = lookahead.machine.batchContext()",
    "IndexMap": "local object = lookahead.machine.indexMap(1)",
    "Ranges":
      "local object = lookahead.machine.ranges { itemLengths = {}, viewport = { width = 1, height = 1 } }",
    "Bound": "local object = lookahead.machine.bound { deadlines = {}, latency = 1 }",
    "View": "local object = view", "Latency": "local object = view.latency",
  ]

  /// What a script prints that has a view in its hands, and whatever else an object may come from.
  private static func printed(_ body: String) throws -> [String] {
    let world = ScriptWorld(["GET https://example.com/": [.json("{}")]])
    world.database = { _ in .handle(1) }
    let lab = LabRecorder()
    lab.found = #"{"title":"","finding":"","baseline":"","rows":[],"sessions":[]}"#
    let needsView = body.contains("= view")
    let script = """
      local function show(view)
      \(body)
      end
      \(needsView ? """
      local shown = false
      local source = lookahead.source { fetch = function() lookahead.sleep(1) return { items = { { id = 1 } } } end }
      function source.shouldBatchFetch(view)
        if not shown then show(view) end
        shown = true
        return true
      end
      for _ in source:items() do end
      """ : "show()")
      """
    return try ScriptRun(script, lab: lab, in: world).outcome
  }

  private static let types = APIDescription.classes.filter { $0.role == .object }

  @Test func `every class of objects is tried`() {
    #expect(Set(Self.objects.keys) == Set(Self.types.map(\.name)))
  }

  @Test(arguments: types.map(\.name))
  func `an object has what the description says`(name: String) throws {
    let type = try #require(APIDescription.type(named: name))
    let methods = type.methods.map { "print('\($0.name)', type(object.\($0.name)))" }
    let fields = type.fields.map { "print('\($0.name)', type(object.\($0.name)))" }

    let lines = try Self.printed(([Self.objects[name] ?? ""] + methods + fields).joined(separator: "\n"))

    var expected = type.methods.map { "\($0.name)\tfunction" }
    for (field, line) in zip(type.fields, lines.dropFirst(expected.count)) {
      let found = line.split(separator: "\t").last.map(String.init) ?? ""
      let isRight = Self.types(of: field).contains(found)
      expected.append(isRight ? line : "\(field.name)\t\(Self.types(of: field))")
    }
    #expect(lines == expected)
  }

  /// What `type` may say about a field.
  private static func types(of field: APIField) -> Set<String> {
    var types: Set<String> = field.isOptional ? ["nil"] : []
    switch field.type {
    case "string": types.insert("string")
    case "integer", "number": types.insert("number")
    case "boolean": types.insert("boolean")
    case "any": types.formUnion(["nil", "table", "string", "number"])
    case "Key": types.formUnion(["string", "number"])
    case let type where type.hasPrefix("\""): types.insert("string")
    case let type where type.hasPrefix("fun("): types.insert("function")
    default: types.formUnion(["table", "userdata"])
    }
    return types
  }

  @Test(arguments: [
    "Context", "ItemSet", "PrefetchContext", "Prefetcher", "Collection", "Updates",
  ])
  func `an object that knows its names knows no others`(name: String) throws {
    let type = try #require(APIDescription.type(named: name))
    let ask = "print(select(2, pcall(function() return object.\(String(repeating: "q", count: 60)) end)))"

    let message = try Self.printed("\(Self.objects[name] ?? "")\n\(ask)").joined()

    let known = try #require(message.firstMatch(of: /\(known: (.*?)\)/)).output.1.split(separator: ", ").map(
      String.init)
    #expect(Set(known) == Set(type.fields.map(\.name) + type.methods.map(\.name)))
  }

  @Test(arguments: [
    "View", "Latency", "PrefetcherStats", "ChangeSet", "Operations", "URLParts", "Ranges", "Bound",
  ])
  func `a table of the host holds what the description says`(name: String) throws {
    let type = try #require(APIDescription.type(named: name))

    let keys = try Self.printed("\(Self.objects[name] ?? "")\nfor key in pairs(object) do print(key) end")

    #expect(Set(keys).subtracting(type.fields.map(\.name)).sorted() == [])
  }

  @Test func `a verdict is what a policy may answer`() throws {
    let script = """
      local source = lookahead.source { fetch = function() return { items = {} } end }
      function source.shouldBatchFetch() return { qqqqqqqqqqqqqqqqqqqqqqqqqqqq = 1 } end
      for _ in source:items() do end
      """

    let notes = try ScriptRun(script).notes.map { "\($0)" }.joined(separator: "\n")

    let known = try #require(notes.firstMatch(of: /expected (\w+, \w+, \w+, \w+ and \w+) only/)).output.1
    let names = known.replacing(" and ", with: ", ").split(separator: ", ").map(String.init)
    #expect(try Set(names) == Set(#require(APIDescription.type(named: "Verdict")).fields.map(\.name)))
  }
}
