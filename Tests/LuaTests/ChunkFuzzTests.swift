import Lua
import TestSupport
import Testing

@Suite struct ChunkFuzzTests {
  private static let words = [
    "local", "function", "end", "if", "then", "for", "in", "do", "while", "repeat", "until", "return", "goto",
    "::",
    "(", ")", "{", "}", "[", "]", "[[", "]]", "--", "--[[", "=", "==", "~=", "//", "..", "...", "<close>",
    "<const>", "'", "\"",
    "\\x", "\\u{7fffffff}", "1e999", "0x", "1 << 63", "nil", "x", "pcall(x)", "error{}", "\n", " ", "\0",
    "\u{1b}Lua", "#",
  ]

  /// A chunk that is changed here and there: words put in, bytes taken out, stretches said twice.
  private func mutated(_ text: String, _ generator: inout SeededGenerator) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes.insert(contentsOf: Self.words.randomElement(using: &generator)!.utf8, at: place)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: if place < bytes.count { bytes[place] = UInt8.random(in: .min ... .max, using: &generator) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func `no chunk crashes`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var state = LuaState()
    for round in 0..<2500 {
      if round % 250 == 0 { state = LuaState() }
      state.define("host") { _ in .nothing }
      let text = mutated(HostileTests.scripts.randomElement(using: &generator)!, &generator)
      state.setBudget(LuaBudget(memory: 4 << 20, burst: .milliseconds(200)))
      _ = guarded("seed \(seed), round \(round): \(text)") { state.failure(of: text) }
      state.clearStop()
      state.stack.truncate(to: 0)
    }
  }
}
