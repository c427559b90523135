import JSON
import TestSupport
import Testing

/// Where an array or an object ends.
@Suite struct JSONExtentTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the end is found wherever the bytes are cut`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let bytes = noise(&random)
      var extent = JSONExtent(), passed = 0
      repeat {
        let most = [1, 63, 64, 65, 200].randomElement(using: &random)!
        let piece = bytes[passed..<min(bytes.count, passed + most)]
        passed += piece.withUnsafeBytes { extent.pass($0) }
      } while !extent.isWhole && passed < bytes.count
      let end = plainEnd(of: bytes)
      #expect(extent.isWhole == (end != nil), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      #expect(passed == end ?? bytes.count, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(arguments: [
    ("{}", 2), (#"{"a":[]},1"#, 8), (#"["\"]"]]"#, 7), (#"["\\"]]"#, 6), (#"{"}":"\\\"]"}}"#, 13),
    ("[[[]", 4),
  ])
  func `brackets in texts are no brackets`(text: String, end: Int) {
    var extent = JSONExtent()
    let passed = Array(text.utf8).withUnsafeBytes { extent.pass($0) }
    #expect(passed == end)
    #expect(extent.isWhole == (text != "[[[]"))
  }

  @Test func `brackets too many to count twice are counted`() {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    var extent = JSONExtent()
    #expect(Array((deep + "]").utf8).withUnsafeBytes { extent.pass($0) } == 200_000)
    #expect(extent.isWhole)
  }

  /// A bracket, and behind it brackets, texts and what is in them; backslashes in texts only.
  private func noise(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = [Array("{[".utf8).randomElement(using: &random)!]
    var isText = false, isEscaped = false
    let rarity = Int.random(in: 0...9, using: &random)
    for _ in 0..<Int.random(in: 0...300, using: &random) {
      let isPlain = Int.random(in: 0...9, using: &random) < rarity
      var byte = (isPlain ? Array("abc, :é".utf8) : Array(#"{}[]"\\a"#.utf8)).randomElement(using: &random)!
      if !isText, byte == UInt8(ascii: "\\") { byte = UInt8(ascii: " ") }
      if isText, !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
        isEscaped = false
      }
      bytes.append(byte)
    }
    return bytes
  }

  /// Found byte by byte; nil if it does not end.
  private func plainEnd(of bytes: [UInt8]) -> Int? {
    var depth = 0, isText = false, isEscaped = false
    for (place, byte) in bytes.enumerated() {
      if isText {
        if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      if depth == 0 { return place + 1 }
    }
    return nil
  }
}
