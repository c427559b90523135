import Items
import JSON
import Lua
import TestSupport
import Testing

/// Texts that were parsed before a script reads them; a script must not see that.
@Suite struct IndexedTextTests {
  @Test(arguments: 1...120 as ClosedRange<UInt64>)
  func `a text that was parsed before is read as any other`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let indexer = JSONIndexer()
    for _ in 0..<5 {
      let text = IndexedTextTests.value(&random, depth: 0)
      let json = indexer.index(
        Bytes(["", "\u{FEFF}", " \n"].randomElement(using: &random)! + text), ifOf: 0...(.max))
      let (indexed, parsed) = (LuaState(), LuaState())
      try indexed.stack.pushJSON(try #require(json.index).pointer, owner: Holder(json))
      indexed.setGlobal("value")
      try parsed.pushJSON(text)
      parsed.setGlobal("value")

      for change in [
        "",
        "local row = type(value) == 'table' and value[1] if type(row) == 'table' then row.a = row.b row.new = 1 end",
        "local function walk(v) if type(v) == 'table' then for i = 1, #v do walk(v[i]) end walk(v.a) walk(v.id) end end walk(value)",
      ] {
        try indexed.run(change)
        try parsed.run(change)
        #expect(shown(indexed) == shown(parsed), "seed \(seed), after '\(change)': \(text)")
      }
    }
  }

  @Test func `a text outlives the parser, and others that it parsed`() throws {
    let state = LuaState()
    do {
      let indexer = JSONIndexer()
      let json = indexer.index(
        Bytes(#"{"list":[{"id":1,"name":"one"},{"id":2,"name":"two"}]}"#), ifOf: 0...(.max))
      _ = indexer.index(
        Bytes(#"{"list":[{"id":8,"name":"other"},{"id":9,"name":"others"}]}"#), ifOf: 0...(.max))
      try state.stack.pushJSON(try #require(json.index).pointer, owner: Holder(json))
      state.setGlobal("value")
    }

    #expect(
      try state.run("collectgarbage() return value.list[2].name .. value.list[1].id") == .string("two1"))
  }

  @Test(arguments: ["", "{", "[1,]", "nul", "1 2", "{\"a\":1e999}", "\"\u{1}\"", "[[[["])
  func `what is no JSON has no index`(_ text: String) {
    let json = JSONIndexer().index(Bytes(text), ifOf: 0...(.max))

    #expect(json.index == nil)
    #expect(json.text.string == text)
  }

  private final class Holder {
    let json: IndexedJSON
    init(_ json: IndexedJSON) { self.json = json }
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
    let count = Int.random(in: 0...6, using: &random)
    switch Int.random(in: depth > 3 ? 4..<9 : 0..<9, using: &random) {
    case 0, 1:
      let keys = ["a", "b", "id", "long key of some length", "k\\\"", "é", "", "a"].shuffled(using: &random)
      return "{"
        + keys.prefix(count).map { "\"\($0)\": \(value(&random, depth: depth + 1))" }.joined(separator: ",")
        + "}"
    case 2:
      return "[" + (0..<count).map { _ in value(&random, depth: depth + 1) }.joined(separator: " ,\n") + "]"
    case 3:
      return "["
        + (0..<count).map { #"{"id":\#($0),"a":\#(value(&random, depth: depth + 1)),"b":"\#($0)"}"# }.joined(
          separator: ",") + "]"
    default:
      return [
        "null", "true", "false", "0", "-1", "1.50", "1e3", "9223372036854775807", "18446744073709551615",
        "123456789012345678901234567890", "-0.0", "\"text\"", #""\u00e9\ud83d\ude00\n""#, "\"\"",
      ].randomElement(using: &random)!
    }
  }

  /// The value as it is written, or why it can't be.
  private func shown(_ state: LuaState) -> String {
    state.pushGlobals()
    state.stack.pushField("value", of: -1)
    defer { state.stack.pop(2) }
    do { return try state.stack.json(at: -1) } catch { return error.message }
  }
}
