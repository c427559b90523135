import Foundation
import Items
import JSON
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  @Test func `members come in their order, with their values as they are written`() {
    let json =
      #"{"id":7,"name":"a\"b","x":-1.5e3,"list":[1,"]",{"}":2}],"none":null,"yes":true,"no":false,"":{}}"#

    #expect(
      members(of: json) == [
        "id=7", #"name=a"b"#, "x=-1.5e3", #"list=[1,"]",{"}":2}]"#, "none=null", "yes=true", "no=false",
        "={}",
      ])
  }

  @Test func `space between the parts does not matter`() {
    #expect(members(of: " { \"a\" : 1 , \"b\" : [ 2 ] } ") == ["a=1", "b=[ 2 ]"])
    #expect(members(of: "{ }") == [])
  }

  @Test(arguments: ["[1]", "7", "\"text\"", "null"])
  func `what is no object has no members`(json: String) {
    #expect(members(of: json) == [])
  }

  @Test(arguments: [
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("0", 0), ("-0", 0),
    ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("\"1\"", nil),
  ])
  func `an integer is exact or none`(json: String, expected: Int64?) {
    #expect(json.value { $0.integer } == expected)
  }

  @Test(arguments: 0..<20) func `a real is the nearest double, to the last bit`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    for _ in 0..<2000 {
      let length = Int.random(in: 1...19, using: &dice)
      var digits = String(Int.random(in: 1...9, using: &dice))
      for _ in 1..<length { digits.append(String(Int.random(in: 0...9, using: &dice))) }
      let point = digits.index(digits.startIndex, offsetBy: Int.random(in: 1...length, using: &dice))
      var json = Bool.random(using: &dice) ? "-" : ""
      json += digits[..<point] + "." + digits[point...] + "0"
      if Int.random(in: 0..<4, using: &dice) == 0 { json += "e\(Int.random(in: -330...300, using: &dice))" }

      let real = try #require(json.value { $0.real })

      #expect(real.bitPattern == Double(json)?.bitPattern, "seed \(seed): \(json)")
    }
  }

  @Test(arguments: [
    "0.0", "-0.0", "0.1", "-0.3", "999999999999999.5", "9007199254740993.0", "1e22", "0.30000000000000004",
  ])
  func `so is one at the edge of what is read at once`(json: String) {
    #expect(json.value { $0.real }?.bitPattern == Double(json)?.bitPattern)
  }

  @Test(arguments: [
    (#"\u0041"#, "A"), (#"\u00e9"#, "é"), (#"\ud83d\ude00"#, "😀"), (#"\ud83d"#, "\u{FFFD}"),
    (#"\ude00x"#, "\u{FFFD}x"),
    (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"), (#"a\/b\\n\n"#, "a/b\\n\n"),
    (#"\b\f"#, "\u{8}\u{c}"),
  ])
  func `texts are unescaped`(escaped: String, expected: String) {
    #expect("\"\(escaped)\"".value { $0.string } == expected)
  }

  @Test(arguments: [
    "", " ", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{\"a\":tru}",
    "{\"a\":[1}", "{\"a\":\"\\",
    "{\"a\":1}x", "{a:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}",
  ])
  func `broken JSON is noticed`(json: String) {
    #expect(members(of: json) == ["broken"])
  }

  @Test(arguments: 1...300)
  func `the members of any object are what a decoder finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var object: [String: Any] = [:]
    for _ in 0..<Int.random(in: 0...8, using: &random) { object[random.text()] = random.value(depth: 3) }
    let json = try JSONSerialization.data(withJSONObject: object, options: [.fragmentsAllowed])

    var found: [String: Any] = [:]
    var reader = JSONReader()
    try json.withUnsafeBytes { bytes in
      for member in try reader.read(bytes).members { found[member.key.string] = try value(member.value) }
    }

    #expect(NSDictionary(dictionary: found) == NSDictionary(dictionary: object))
  }

  @Test(arguments: 1...100)
  func `no beginning of an object is taken for all of it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let object = ["a": random.value(depth: 3), "b": random.value(depth: 3)]
    let json = try JSONSerialization.data(withJSONObject: object)

    for length in 1..<json.count {
      json.prefix(length).withUnsafeBytes { bytes in
        var reader = JSONReader()
        #expect(reader.readIfValid(bytes)?.kind == nil)
      }
    }
  }

  @Test func `a list has its values in order, with their bytes as they are written`() throws {
    let found = try JSONReader.read(" [1.50, [ ] ,{ \"a\":[2]},\"x\\ny\", null]") { value in
      value.elements.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    #expect(found == ["1.50", "[ ]", "{ \"a\":[2]}", "x\\ny", "null"])
  }

  @Test(arguments: [
    ("{\"a\":\n", JSONFault.Expectation.value, 2, 1), ("{\"a\" 1}", .colon, 1, 6),
    ("[1\n,2", .elementEnd, 2, 3),
    ("{\"a\":1 2}", .memberEnd, 1, 8), ("{a}", .key, 1, 2), ("1 2", .end, 1, 3), ("\"a", .quote, 1, 3),
    ("\"\t\"", .noControl, 1, 2), (#""\q""#, .escape, 1, 2), (#""\u00g0""#, .digits, 1, 6),
    ("01", .number, 1, 1), ("[nul]", .value, 1, 2), ("\u{FEFF}1", .value, 1, 1),
  ])
  func `a fault names its place and what was expected there`(
    json: String, expected: JSONFault.Expectation, line: Int, column: Int
  ) {
    let fault = #expect(throws: JSONFault.self) { try JSONReader.read(json) { _ in } }

    #expect(fault?.expected == expected)
    #expect(fault?.line == line && fault?.column == column)
    #expect(fault?.message.isEmpty == false)
  }

  @Test func `invalid UTF-8 is no JSON`() {
    var reader = JSONReader()

    let isRefused = ([0x22, 0xFF, 0x22] as [UInt8]).withUnsafeBytes { reader.readIfValid($0)?.kind == nil }

    #expect(isRefused)
  }

  @Test(arguments: [1, 3, 64, 1024])
  func `values are as deep as is asked for, and the innermost is empty`(deepest: Int) throws {
    func nested(_ levels: Int, _ inner: String = "") -> String {
      String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
    }

    try JSONReader.read(nested(deepest), deepest: deepest) { #expect($0.kind == .array) }
    try JSONReader.read(nested(deepest - 1, "7"), deepest: deepest) { _ in }
    for deeper in [nested(deepest, "7"), nested(deepest + 1)] {
      let fault = #expect(throws: JSONFault.self) { try JSONReader.read(deeper, deepest: deepest) { _ in } }
      #expect(fault?.expected == .level)
    }
  }

  @Test func `a reader reads one document after the other, whatever their lengths`() throws {
    var reader = JSONReader()
    for count in [1, 5_000, 3, 600_000, 2] {
      let bytes = Bytes("[" + Array(repeating: "7", count: count).joined(separator: ",") + "]")
      try bytes.withUnsafeBytes { bytes in
        let value = try reader.read(bytes)
        #expect(value.elements.reduce(0) { $0 + ($1.integer ?? 0) } == 7 * Int64(count))
      }
    }
  }

  @Test func `a tree has the last of two members with one key`() throws {
    let tree = try JSONTree(#"{"a":1,"b":[1.50,"x",true,null],"a":2}"#)

    #expect(
      tree
        == .object([
          "a": .number("2"), "b": .list([.number("1.50"), .text("x"), .boolean(true), .null]),
        ]))
    #expect(tree["a"]?.number == 2)
  }

  /// Each member as `key=value`.
  private func members(of json: String) -> [String] {
    (try? JSONReader.read(json) { $0.members.map { "\($0.key.string)=\($0.value.string)" } }) ?? ["broken"]
  }

  private func value(_ slice: JSONValue) throws -> Any {
    switch slice.kind {
    case .null: NSNull()
    case .boolean(let flag): flag
    case .integer: slice.integer!
    case .real: slice.real!
    case .text: slice.string
    case .array, .object: try JSONSerialization.jsonObject(with: Data(slice.bytes))
    }
  }
}

extension String {
  fileprivate func value<Result>(_ body: (JSONValue) -> Result) -> Result {
    try! JSONReader.read(self, body)
  }
}

extension SeededGenerator {
  fileprivate mutating func value(depth: Int) -> Any {
    switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &self) {
    case 0: NSNull()
    case 1: Bool.random(using: &self)
    case 2: Int64.random(in: .min ... .max, using: &self)
    case 3: Double(Int.random(in: -1_000_000...1_000_000, using: &self)) / 8
    case 4: text()
    case 5: (0..<Int.random(in: 0...3, using: &self)).map { _ in value(depth: depth - 1) }
    default:
      Dictionary(
        (0..<Int.random(in: 0...3, using: &self)).map { _ in (text(), value(depth: depth - 1)) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}
