import Lua
import Scripting
import TestSupport
import Testing

/// Texts of a prompt made of pieces, the same in every run (SplitMix64).
private struct RandomTexts: RandomNumberGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  private static let pieces = [
    "local ", "x", "y", "t", " = ", "1", "'s'", "[[l]]", "{", "}", "(", ")", "[", "]", ".", ":", ",", ";",
    "\n", " ",
    "function ", "end ", "if ", "then ", "do ", "for i = 1, 3 ", "while ", "repeat ", "until ", "return ",
    "break ",
    "goto l ", "::l:: ", "<const>", "<close>", "nil", "_", "_ENV", "_G", "=", "#", "..", "...", "--", "--[[",
    "]]", "\"",
    "\\", "é", "\u{1F600}", "\u{0}", "print", "lookahead", "setmetatable(", "error(", "pcall(",
    "coroutine.wrap(",
    "lookahead.sleep(0.1) ", "lookahead.spawn(", "string.rep('x', 1e5)", "t.t = t ", "t[1] = {} ",
    "x = { 1, { a = 2 } } ",
    "lookahead.source { fetch = print }", ":items()", "lookahead.emit(",
  ]

  mutating func text() -> String {
    (0..<Int.random(in: 1...14, using: &self)).map { _ in Self.pieces.randomElement(using: &self)! }.joined()
  }
}

@Suite struct PromptFuzzTests {
  @Test func `whatever is typed, the prompt answers and goes on`() throws {
    for seed in UInt64(1)...12 {
      var random = RandomTexts(seed: seed)
      let rig = try PromptRig("local t = {} return t", memory: 64 << 20, burst: .milliseconds(200))
      let depth = rig.workflow.stackDepth
      for turn in 1...120 {
        let text = random.text()
        _ = rig.workflow.completeness(of: text)
        let cursor = Int.random(in: 0...text.utf8.count + 1, using: &random)
        let found = rig.workflow.completions(of: text, at: cursor)
        #expect(found.start <= text.utf8.count + 1 && found.candidates.count <= 500, "seed \(seed), \(text)")
        let evaluation = rig.enter(text)
        #expect(evaluation != nil, "seed \(seed), turn \(turn): \(text)")
        for value in evaluation?.values.prefix(5) ?? [] {
          var style = PrintStyle()
          style.width = Int.random(in: 0...100, using: &random)
          style.items = Int.random(in: 0...30, using: &random)
          style.depth = Int.random(in: 0...6, using: &random)
          let shown = rig.workflow.text(of: value, style: style)
          #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }, "seed \(seed), \(text)")
          _ = rig.workflow.inspect(value)
          _ = rig.workflow.source(of: value)
        }
        _ = rig.workflow.promptSources
        #expect(rig.workflow.stackDepth == depth, "seed \(seed), turn \(turn): \(text)")
      }
      rig.workflow.promptBudget.burst = .zero
      #expect(rig.shown("1 + 1") == ["2"], "seed \(seed)")
    }
  }

  @Test func `random tables are shown, however they are cut`() throws {
    let rig = try PromptRig()
    rig.enter(
      """
      math.randomseed(7)
      local function make(depth)
        local kind = math.random(1, depth > 4 and 6 or 9)
        if kind == 1 then return math.random(-5, 5) end
        if kind == 2 then return math.random() end
        if kind == 3 then return string.char(math.random(0, 255), math.random(0, 255)) end
        if kind == 4 then return true end
        if kind == 5 then return lookahead.null end
        if kind == 6 then return print end
        local t = {}
        for i = 1, math.random(0, 6) do
          local key = math.random(1, 4)
          if key == 1 then t[i] = make(depth + 1)
          elseif key == 2 then t["k" .. math.random(1, 9)] = make(depth + 1)
          elseif key == 3 then t[math.random()] = make(depth + 1)
          else t[{}] = make(depth + 1) end
        end
        return t
      end
      function trees() local list = {} for i = 1, 20 do list[i] = make(0) end return list end
      """)

    for width in stride(from: 1, through: 121, by: 12) {
      for isVertical in [false, true] {
        let shown = rig.text("trees()") {
          $0.width = width
          $0.depth = 8
          $0.isVertical = isVertical
        }
        #expect(shown.hasPrefix("{") && shown.hasSuffix("}"))
      }
    }
  }
}
