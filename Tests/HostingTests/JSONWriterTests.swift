import Foundation
import Hosting
import Items
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

  private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(capacity: 1)
    write(&writer)
    return writer.bytes().string
  }
}
