import Foundation
import Items
import JSON
import Lua
import TestSupport
import Testing

/// Rows that come with the index of who wrote them; a parser must not find anything else in their text.
@Suite struct WrittenRowsTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `the index of written rows says what a parser finds in their text`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let rows = try written(&random)

    let (indexed, parsed) = (LuaState(), LuaState())
    let index = try #require(rows.index)
    try indexed.stack.pushJSON(index.pointer, owner: Holder(rows))
    indexed.setGlobal("rows")
    try parsed.pushJSON(rows.text.string)
    parsed.setGlobal("rows")

    for text in [
      "", "for i, row in ipairs(rows) do local _ = row.a row.b = i row.c = nil end",
      "for _, row in ipairs(rows) do next(row) end",
    ] {
      try indexed.run(text)
      try parsed.run(text)
      #expect(try shown(indexed) == shown(parsed), "seed \(seed), after '\(text)': \(rows.text.string)")
    }
  }

  @Test func `values are written as JSON has them`() throws {
    var writer = try RowsWriter(keys: ["a", "b\"", "é"])
    try writer.integer(.min)
    try writer.real(0.1)
    try text("x\n\"\\é\u{1}", into: &writer)
    try writer.null()
    try writer.real(.infinity)
    try "\u{FF}\u{0}".utf8.withContiguousStorageIfAvailable { try writer.base64(UnsafeRawBufferPointer($0)) }
    let rows = try writer.finish()

    #expect(
      rows.text.string
        == #"[{"a":-9223372036854775808,"b\"":0.1,"é":"x\n\"\\é\u0001"},{"a":null,"b\"":null,"é":"w78A"}]"#)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `numbers are written in the fewest digits that read back as the same`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (integers, reals): ([Int64], [Double]) = ([], [])
    for digits in 0...18 {
      let power = Int64(pow(10, Double(digits)))
      integers += [power, power - 1, -power, .random(in: -power...power, using: &random)]
      reals += (0...6).flatMap { decimals in
        let value = Double(integers.last!) / pow(10, Double(decimals))
        return [value, value.nextUp, Double(power) / pow(10, Double(decimals))]
      }
    }
    reals += (0..<200).map { _ in Double(bitPattern: .random(in: 0 ... .max, using: &random)) }
      .filter(\.isFinite)
    var writer = try RowsWriter(keys: ["n"], room: (100, 3))
    for integer in integers { try writer.integer(integer) }
    for real in reals { try writer.real(real) }
    let rows = try writer.finish().text.string.dropFirst(6).dropLast(2).components(separatedBy: #"},{"n":"#)

    #expect(rows.prefix(integers.count) == integers.map(String.init)[...])
    let digits = { (text: String) in text.filter(\.isNumber).drop { $0 == "0" }.reversed().drop { $0 == "0" }
    }
    for (row, real) in zip(rows.dropFirst(integers.count), reals) {
      let mantissa = { (text: String) in String(text.prefix { $0 != "e" }) }
      #expect(Double(row)?.bitPattern == real.bitPattern, "seed \(seed): \(row) for \(real)")
      #expect(row.contains { ".e".contains($0) } && !row.contains(".e"), "seed \(seed): \(row)")
      // A larger one is written without an exponent, to its last digit.
      guard abs(real) < 1e15 else { continue }
      #expect(
        Array(digits(mantissa(row))) == Array(digits(mantissa("\(real)"))), "seed \(seed): \(row) for \(real)"
      )
    }
  }

  @Test func `a list without rows is an empty one`() throws {
    let rows = try RowsWriter(keys: ["a"]).finish()
    let state = LuaState()
    try state.stack.pushJSON(try #require(rows.index).pointer, owner: Holder(rows))
    state.setGlobal("rows")

    #expect(rows.text.string == "[]")
    #expect(try state.run("return #rows") == .integer(0))
  }

  private final class Holder {
    let rows: IndexedJSON
    init(_ rows: IndexedJSON) { self.rows = rows }
  }

  private func written(_ random: inout SeededGenerator) throws -> IndexedJSON {
    let keys = Array(
      ["a", "b", "c", "long key of some length", "k\"", "é", "id", ""].shuffled(using: &random).prefix(
        .random(in: 1...8, using: &random)))
    var writer = try RowsWriter(keys: keys)
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      for _ in keys { try value(into: &writer, &random) }
    }
    return try writer.finish()
  }

  private func value(into writer: inout RowsWriter, _ random: inout SeededGenerator) throws {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try writer.null()
    case 1, 2: try writer.integer(Int64.random(in: -1000...1000, using: &random))
    case 3: try writer.integer([.min, .max, 0].randomElement(using: &random)!)
    case 4: try writer.real(Double(Int.random(in: -100_000...100_000, using: &random)) / 100)
    case 5:
      try writer.real(
        [1e300, -0.0, .leastNonzeroMagnitude, .nan, 0.1, 1e17, 123456789.125].randomElement(using: &random)!)
    default:
      let pieces = ["a", "text ", "\"", "\\", "\n", "\u{1}", "é", "😀", "}", ",", "0123456789"]
      try text(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
          .joined(), into: &writer)
    }
  }

  private func text(_ text: String, into writer: inout RowsWriter) throws {
    var text = text
    var isBroken = false
    text.withUTF8 { utf8 in
      do { try writer.text(UnsafeRawBufferPointer(utf8)) } catch { isBroken = true }
    }
    #expect(!isBroken)
  }

  /// The rows as they are written, with their ids, and as a script sees them.
  private func shown(_ state: LuaState) throws -> [String] {
    state.pushGlobals()
    state.stack.pushField("rows", of: -1)
    defer { state.stack.pop(2) }
    guard let items = try state.stack.encodeItems(at: -1, idField: "id") else { return [] }
    defer { EncodedItems.free(items.base) }
    let bytes = UnsafeRawBufferPointer(start: items.base, count: items.count)
    return items.indices.map {
      "\(items.id(at: $0)) \(String(decoding: bytes[items.range(at: $0)], as: UTF8.self))"
    }
  }
}
