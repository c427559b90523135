import Foundation
import Testing

/// Keys and bytes of any kind at the prompt: the terminal's user may send what they like, and a paste is what others wrote.
@Suite(.waiting) struct PromptFuzzTests {
  private static let keys: [String] = [
    "\u{1}", "\u{5}", "\u{2}", "\u{6}", "\u{8}", "\u{7F}", "\u{B}", "\u{15}", "\u{17}", "\u{19}", "\u{14}",
    "\u{16}",
    "\u{1F}", "\u{10}", "\u{E}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[3~", "\u{1B}b",
    "\u{1B}f",
    "\u{1B}d", "\u{1B}u", "\u{1B}9", "\u{1B}9\u{1B}9\u{1B}9\u{1B}9\u{1B}9\u{1B}9", "\u{15}\u{15}", "\u{C}",
    "\t", "\u{12}",
    "\u{7}", "\r", "\u{1B}\r", "\u{1B}", "\u{0}", "\u{F}", "\u{18}\u{18}", "\u{1B}[5~", "\u{1B}.",
    "\u{1B}\u{7F}",
  ]
  private static let letters: [String] = [
    "\u{301}", "\u{200D}", "\u{202E}", "世", "😀", "\u{85}", "\u{9B}", "\u{E000}", "\u{E0041}", "\u{10FFFF}",
    "a", "(", " ",
  ]

  private static func piece(_ random: inout SplitMix) -> [UInt8] {
    switch random.below(10) {
    case 0..<4: Array(String(repeating: keys[random.below(keys.count)], count: 1 + random.below(3)).utf8)
    case 4..<7:
      Array(
        String(repeating: letters[random.below(letters.count)], count: [1, 3, 80, 300][random.below(4)]).utf8)
    case 7:
      Array(
        "\u{1B}[200~\(String(repeating: letters[random.below(letters.count)], count: 200))\nb\u{1B}[201~".utf8
      )
    case 8: Array(("\u{16}" + keys[random.below(keys.count)]).utf8)
    // What ends, stops or halts the terminal itself is left out.
    default:
      (0..<20).map { _ in UInt8(random.below(256)) }.filter { ![3, 4, 0x11, 0x13, 0x1A, 0x1C].contains($0) }
    }
  }

  @Test func `eighty marks, Ctrl-E and two thousand letters leave a prompt that answers`() throws {
    let scratch = try Scratch()
    let terminal = try PseudoTerminal(["repl", "--no-init", "-q"], folder: scratch.path)
    #expect(terminal.wait { $0.contains("1>") })

    terminal.type(("a" + String(repeating: "\u{301}", count: 80)).utf8)
    terminal.type("\u{5}".utf8)
    terminal.type(String(repeating: "x", count: 2000).utf8)
    terminal.type("\u{1}\u{5}\u{15}".utf8)
    terminal.forget()
    terminal.type("21*2\r".utf8)

    #expect(terminal.wait { $0.contains("42") })
  }

  @Test(arguments: [1, 2, 3, 4])
  func `no keys and bytes end the prompt`(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let scratch = try Scratch()
    for _ in 0..<3 {
      let sizes: [(UInt16, UInt16)] = [(80, 24), (2, 2), (1, 1), (10, 5), (200, 50), (3, 24)]
      let (columns, rows) = sizes[random.below(sizes.count)]
      let terminal = try PseudoTerminal(
        ["repl", "--no-init", "-q"], folder: scratch.path, columns: columns, rows: rows,
        environment: ["VISUAL": "true"])
      #expect(terminal.wait { !$0.isEmpty })
      for _ in 0..<40 {
        if random.below(20) == 0 {
          terminal.resize(columns: UInt16(random.below(65536)), rows: UInt16(random.below(65536)))
        }
        guard terminal.type(Self.piece(&random)) else { break }
      }
      // Whatever is half typed is given up.
      for _ in 0..<4 { terminal.type([7, 3]) }

      #expect(terminal.signal == nil, "seed \(seed)")
    }
  }
}

/// Numbers that look random, and are the same for the same seed.
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func below(_ end: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(end))
  }
}
