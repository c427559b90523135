import Lua
import Testing

@Suite struct EncodedItemsTests {
  let state = LuaState()

  /// The items of a list that is on the top, as texts.
  private func texts(_ items: EncodedItems?) -> [String] {
    guard let items else { return [] }
    defer { EncodedItems.free(items.base) }
    let bytes = UnsafeRawBufferPointer(start: items.base, count: items.count)
    return items.indices.map { String(decoding: bytes[items.range(at: $0)], as: UTF8.self) }
  }

  private func ids(_ items: EncodedItems?) -> [EncodedItems.ID] {
    items.map { items in items.indices.map(items.id(at:)) } ?? []
  }

  @Test func `items are lines, ids what the field says`() throws {
    try state.pushJSON(#"[{"id":7,"a":1},{"id":"x"},{"id":2.0},{"id":null},{"a":1},{"id":true},{"id":1.5}]"#)
    let items = try state.stack.encodeItems(at: -1, idField: "id")

    #expect(ids(items) == [.integer(7), .text("x"), .integer(2), .none, .none, .other, .other])
    #expect(texts(items).first == #"{"id":7,"a":1}"#)
  }

  @Test func `a number that is rounded is no id`() throws {
    try state.pushJSON(
      #"[{"id":9007199254740991.0},{"id":9007199254740993.0},{"id":9007199254740992.0},{"id":9007199254740993}]"#
    )
    let items = try state.stack.encodeItems(at: -1, idField: "id")

    #expect(
      ids(items) == [.integer(9_007_199_254_740_991), .other, .other, .integer(9_007_199_254_740_993)])
  }

  @Test func `rows that nobody touched are copied byte by byte`() throws {
    let rows = [#"{"id": 1e0, "b" :[ 1,2 ]}"#, #"{"z":1,"a":"\u0041"}"#]
    try state.pushJSON("[" + rows.joined(separator: " , ") + "]")

    #expect(texts(try state.stack.encodeItems(at: -1, idField: nil)) == rows)
  }

  @Test func `rows that a script changed are written anew`() throws {
    try state.pushJSON(#"[{"id": 1},{"id": 2}]"#)
    state.setGlobal("rows")
    try state.load("rows[2].id = 5 return rows", name: "t")
    try state.call(arguments: 0, results: 1)
    let items = try state.stack.encodeItems(at: -1, idField: "id")

    #expect(ids(items) == [.integer(1), .integer(5)])
    #expect(texts(items) == [#"{"id": 1}"#, #"{"id":5}"#])
  }

  @Test func `line breaks inside a row become one line`() throws {
    try state.pushJSON("[\n  {\n    \"a\": 1,\n    \"b\": \"x y\"\n  }\n]")

    #expect(texts(try state.stack.encodeItems(at: -1, idField: nil)) == [#"{"a": 1,"b": "x y"}"#])
  }

  @Test func `ids may come in a list of their own`() throws {
    try state.load("return { 'a', 'b' }, { 10, 'q' }", name: "t")
    try state.call(arguments: 0, results: 2)
    let items = try state.stack.encodeItems(at: -2, idField: nil, idsIndex: -1)

    #expect(ids(items) == [.integer(10), .text("q")])
    #expect(texts(items) == [#""a""#, #""b""#])
  }

  @Test func `an empty list has no items`() throws {
    state.stack.pushTable()

    #expect(try state.stack.encodeItems(at: -1, idField: "id") == nil)
  }

  @Test(arguments: [
    ("{ 1, print }", "item 2"), ("{ 1, nil, 3, 4 }", ""), ("{ { a = { b = print } } }", "item 1"),
    ("'text'", "expected a list"), ("{ a = 1 }", ""),
  ]) func `what cannot be written is refused with its place`(_ expression: String, _ place: String) throws {
    try state.load("return " + expression, name: "t")
    try state.call(arguments: 0, results: 1)

    let error = #expect(throws: JSONError.self) { _ = try state.stack.encodeItems(at: -1, idField: nil) }
    #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
    #expect(state.stack.count == 1)
  }

  @Test(arguments: [0, 1, 5, 8, 63, 64, 65, 200])
  func `an object of any size is written where the stack has hardly any room`(_ members: Int) throws {
    state.define("encode") { call in
      call.stack.push(texts(try call.stack.encodeItems(at: 1, idField: nil)).first ?? "")
      return .results(1)
    }
    let object = """
      local function object(depth)
        local members = {}
        for i = 1, \(members) do members[("k%03d"):format(i)] = depth > 1 and i == 1 and object(depth - 1) or i end
        return members
      end
      """
    let depth = members == 0 ? 1 : 3
    func text(_ depth: Int) -> String {
      let pairs = (0..<members).map { index in
        let name = String(1001 + index).dropFirst()
        return "\"k\(name)\":" + (depth > 1 && index == 0 ? text(depth - 1) : "\(index + 1)")
      }
      return "{\(pairs.joined(separator: ","))}"
    }

    let written = try state.coroutine("\(object) return encode({ object(\(depth)) })").finish()

    #expect(written == .string(text(depth)))
  }
}
