import Foundation
import Items
import JSON
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  @Test(arguments: [0, 1, -1, 42, .max, .min, 9_007_199_254_740_993, -1_000_000_000_000_000_000])
  func `integers are exact`(value: Int64) {
    #expect(written { $0.integer(value) } == "\(value)")
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (1.5, "1.5"), (0.1, "0.1"), (1e21, "1e+21"),
    (Double.leastNonzeroMagnitude, "5e-324"), (1 / 3, "0.3333333333333333"),
    (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
  ])
  func `reals are as short as can be, and null where JSON has none`(value: Double, expected: String) {
    #expect(written { $0.real(value) } == expected)
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#), ("\0\u{1f}", #""\u0000\u001f""#),
    ("é日😀/", #""é日😀/""#),
  ])
  func `texts are escaped where JSON needs it`(text: String, expected: String) {
    #expect(written { $0.text(text) } == expected)
  }

  @Test func `invalid UTF-8 becomes the replacement character`() {
    #expect(
      written { writer in ([0x61, 0xFF, 0x62, 0xC3] as [UInt8]).withUnsafeBytes { writer.text($0) } }
        == "\"a\u{FFFD}b\u{FFFD}\"")
  }

  @Test func `bytes become base64`() {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 83 &+ 7) }

      let text = written { writer in bytes.withUnsafeBytes { writer.base64($0) } }

      #expect(text == "\"\(Data(bytes).base64EncodedString())\"")
    }
  }

  @Test(arguments: 1...200)
  func `any text reads back as it was`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = random.text()

    let json = written { $0.text(text) }

    #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == text)
  }

  @Test func `commas come by themselves in objects and arrays`() {
    let text = written { json in
      json.object {
        $0.member("a", "b")
        $0.key("c")
        $0.array {
          $0.integer(1)
          $0.null()
          $0.object { _ in }
          $0.array { $0.boolean(true) }
        }
        $0.member("d", 0.5)
        $0.member("e", -7)
        $0.member("f", false)
        $0.key("g")
        $0.raw("[1]")
      }
    }

    #expect(text == #"{"a":"b","c":[1,null,{},[true]],"d":0.5,"e":-7,"f":false,"g":[1]}"#)
  }

  @Test(arguments: [
    (JSONWriter.Escaping.plain, #""a<\n\t\u0007"# + "\u{9B}\u{2028}\""),
    (.harmless, #""a<\n\t\u0007\u009b\u2028""#),
    (.markup, #""a\u003c\n\u0009\u0007"# + "\u{9B}" + #"\u2028""#),
  ])
  func `a text is escaped for where it will stand`(escaping: JSONWriter.Escaping, expected: String) {
    var writer = JSONWriter(escaping: escaping)

    writer.text("a<\n\t\u{7}\u{9B}\u{2028}")

    #expect(writer.bytes().string == expected)
  }

  private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(capacity: 1)
    write(&writer)
    return writer.bytes().string
  }
}
