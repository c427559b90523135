import Foundation
import Hosting
import Items
import Testing

@Suite struct JSONMembersTests {
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

  @Test(arguments: ["[1]", "7", "\"text\"", "null", "", " "])
  func `what is no object has no members`(json: String) {
    #expect(members(of: json) == nil)
  }

  @Test(arguments: [
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("0", 0), ("-0", 0),
    ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("\"1\"", nil),
  ])
  func `an integer is exact or none`(json: String, expected: Int64?) {
    #expect(json.value { $0.integer } == expected)
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
    "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{\"a\":tru}",
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
    try json.withUnsafeBytes { bytes in
      var walk = try #require(JSONMembers(bytes))
      while let member = walk.next() { found[member.key.string] = try value(member.value) }
      #expect(!walk.isBroken)
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
        var walk = JSONMembers(bytes)
        while walk?.next() != nil {}
        #expect(walk?.isBroken == true)
      }
    }
  }

  /// Each member as `key=value`; nil when it is no object.
  private func members(of json: String) -> [String]? {
    Bytes(json).withUnsafeBytes { bytes in
      guard var walk = JSONMembers(bytes) else { return nil }
      var found: [String] = []
      while let member = walk.next() { found.append("\(member.key.string)=\(member.value.string)") }
      return walk.isBroken ? ["broken"] : found
    }
  }

  private func value(_ slice: JSONSlice) throws -> Any {
    switch slice.kind {
    case .null: NSNull()
    case .boolean(let flag): flag
    case .integer: slice.integer!
    case .real: slice.real!
    case .text: slice.string
    case .nested: try JSONSerialization.jsonObject(with: Data(slice.bytes))
    }
  }
}

extension String {
  fileprivate func value<Result>(_ body: (JSONSlice) -> Result) -> Result {
    Bytes("{\"a\":\(self)}").withUnsafeBytes { bytes in
      var walk = JSONMembers(bytes)!
      return body(walk.next()!.value)
    }
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
