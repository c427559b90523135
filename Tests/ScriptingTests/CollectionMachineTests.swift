import Testing

@Suite struct CollectionMachineTests {
  /// Two lists and the operations between them.
  @Test(arguments: [
    ("{ 1, 2, 3 }, { 1, 2, 3 }", "true [] [] [] []"),
    ("{}, { \"a\" }", "false [] [[1,1]] [] []"),
    ("{ 1, 2, 3, 4 }, { 4, 1, 2, 5 }", #"false [[1,3]] [[1,4]] [{"from":[1,4],"to":[1,1]}] []"#),
    ("{ 1, 2, 3, 4, 5 }, { 2, 3, 4, 5, 1 }", #"false [] [] [{"from":[1,1],"to":[1,5]}] []"#),
    ("{ { id = 1, v = 1 } }, { { id = 1, v = 2 } }", "false [] [] [] [[1,1]]"),
    (
      "{ { k = 1 }, { k = 2 } }, { { k = 2 }, { k = 1 } }, { id = \"k\" }",
      #"false [] [] [{"from":[1,1],"to":[1,2]}] []"#
    ),
    ("{ { 1 }, { 2, 3 } }, { { 1, 2 }, { 3 } }", #"false [] [] [{"from":[2,1],"to":[1,2]}] []"#),
    (
      "{ { 1 }, { 2 } }, { { 2 } }, { sections = false, id = function(item) return item[1] end }",
      "false [[1,1]] [] [] []"
    ),
  ])
  func `a difference gives the operations, with as few moves as can be`(_ lists: String, _ answer: String)
    throws
  {
    let lines = try printed(
      by: """
        local difference = lookahead.machine.difference(\(lists))
        local parts = { tostring(difference.isEmpty) }
        for _, name in ipairs { "deletedItems", "insertedItems", "movedItems", "reloadedItems" } do
          parts[#parts + 1] = lookahead.json.encode(difference[name])
        end
        print(table.concat(parts, " "))
        """)

    #expect(lines == [answer])
  }

  /// Settings besides 500 items of length 10 in a viewport of 100 at 1000, and the ranges (Texture 4.2, 4.3).
  @Test(arguments: [
    ("", "101-110 96-120 86-135 81-135"),
    ("direction = \"up\"", "101-110 91-115 76-125 76-130"),
    ("direction = { \"up\" }, mode = \"minimum\"", "101-110 98-113 96-113 81-130"),
    ("mode = \"visibleOnly\"", "101-110 101-110 101-110 81-130"),
    ("isVisible = false", "1-0 101-110 96-120 81-135"),
    ("isVisible = false, mode = \"lowMemory\"", "1-0 1-0 101-110 81-130"),
    ("viewport = { x = 0, y = -1000, width = 100, height = 100 }", "1-0 1-0 1-0 1-0"),
    (
      "axis = \"horizontal\", viewport = { x = 1000, y = 0, width = 100, height = 10 }",
      "101-110 96-120 86-135 81-135"
    ),
    ("itemCount = 0", "1-0 1-0 1-0 1-0"),
    ("itemLength = 0", "1-0 1-0 1-0 1-0"),
  ])
  func `ranges follow from viewport, direction and mode`(_ settings: String, _ answer: String) throws {
    let lines = try printed(
      by: """
        local settings = { itemLength = 10, itemCount = 500, viewport = { x = 0, y = 1000, width = 100, height = 100 } }
        for key, value in pairs { \(settings) } do settings[key] = value end
        local ranges, parts = lookahead.machine.ranges(settings), {}
        for _, name in ipairs { "visible", "display", "preload", "measure" } do
          parts[#parts + 1] = ranges[name][1] .. "-" .. ranges[name][2]
        end
        print(table.concat(parts, " "))
        """)

    #expect(lines == [answer])
  }

  @Test func `items may have lengths of their own`() throws {
    let lines = try printed(
      by: """
        local ranges = lookahead.machine.ranges {
          itemLengths = { 50, 100, 10, 0, 200 }, viewport = { x = 0, y = 60, width = 1, height = 100 }, mode = "visibleOnly",
        }
        print(ranges.visible[1], ranges.visible[2], ranges.measure[2])
        """)

    #expect(lines == ["2\t3\t5"])
  }

  @Test(arguments: [
    ScriptCase(
      script: "difference()", message: "machine.difference: argument 1: expected a table, got nothing"),
    ScriptCase(
      script: "difference({ 1 }, { {} })",
      message:
        "machine.difference: item { 1, 1 } has no usable 'id' (expected a string or an integer): name the right field "
        + "with id = \"…\", or give a function"),
    ScriptCase(
      script: "difference({ 0.5 }, {})",
      message:
        "machine.difference: item { 1, 1 } has no usable id (expected a string or an integer): name the right field "
        + "with id = \"…\", or give a function"),
    ScriptCase(
      script: "difference({}, {}, { key = 1 })",
      message: "machine.difference: unknown key 'key' (known: id, sections)"),
    ScriptCase(script: "ranges {}", message: "machine.ranges: viewport is missing"),
    ScriptCase(
      script: "ranges { viewport = { width = 0 / 0, height = 1 }, itemLength = 1, itemCount = 1 }",
      message:
        "machine.ranges: viewport: expected a table { x, y, width, height } of numbers up to a million million, "
        + "lengths from 0 on (not nan as width), got table"),
    ScriptCase(
      script: "ranges { viewport = { y = 3, width = 1 }, itemLength = 1, itemCount = 1 }",
      message:
        "machine.ranges: viewport: expected a table { x, y, width, height } of numbers up to a million million, "
        + "lengths from 0 on (height is missing), got table"),
    ScriptCase(
      script: "ranges { viewport = { width = 1, height = 1 }, itemLength = -1, itemCount = 1 }",
      message: "machine.ranges: itemLength: expected a length, from 0 to a million million, got -1"),
    ScriptCase(
      script: "ranges { viewport = { width = 1, height = 1 }, itemLengths = { 1, math.huge } }",
      message:
        "machine.ranges: itemLengths: expected a list of lengths, from 0 to a million million (not inf at 2), got table"
    ),
    ScriptCase(
      script: "ranges { viewport = { width = 1, height = 1 }, itemLength = 1 }",
      message: "machine.ranges: itemCount is missing"),
    ScriptCase(
      script: "ranges { viewport = { width = 1, height = 1 }, itemLength = 1, itemLengths = {} }",
      message:
        "machine.ranges: expected either itemLength, one for all items, or itemLengths, a list of them"),
    ScriptCase(
      script: "ranges { viewport = { width = 1, height = 1 }, itemLengths = {}, itemCount = 3 }",
      message: "machine.ranges: itemCount: expected 0, as many as itemLengths, got 3"),
  ])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: "lookahead.machine." + example.script) == "feed.lua:1: " + example.message)
  }
}
