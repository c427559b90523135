/// Simulated typing, as words: `PageDown*20@50ms wait:1s G settle / foo Enter q`.
///
/// A word is a key name (`Up`, `PageDown`, `Space`, `Ctrl-C`), `WheelDown`, or one of `wait:TIME`, `settle`,
/// `settle:TIME`, `size:80x24`; anything else is typed character by character, and so is what follows `type:`. `*N`
/// repeats a key, `@TIME` waits that long after each.
public struct KeyScript: Sendable, Hashable {
  /// The steps, in order.
  public let steps: [KeyStep]

  /// Maximum steps of a script, and repetitions of one key.
  static let most = 1_000_000

  /// The default maximum wait of `settle`.
  public static let patience = Duration.seconds(30)

  private static let names: [String: Key] = [
    "Up": .up, "Down": .down, "Left": .left, "Right": .right, "PageUp": .pageUp, "PageDown": .pageDown,
    "Home": .home, "End": .end, "Enter": .enter, "Esc": .escape, "Escape": .escape,
    "Backspace": .backspace, "Tab": .tab, "Space": .character(" "), "WheelUp": .wheel(-1),
    "WheelDown": .wheel(1),
  ]

  /// Words are separated by white space.
  public init(_ text: String) throws(KeyScriptError) {
    var steps: [KeyStep] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      steps += try Self.steps(String(word))
      guard steps.count <= 2 * Self.most else {
        throw KeyScriptError(word: String(word), expected: "no more than \(Self.most) keys in all")
      }
    }
    self.steps = steps
  }

  private static func steps(_ word: String) throws(KeyScriptError) -> [KeyStep] {
    if word == "settle" { return [.settle(patience)] }
    if let rest = rest(of: word, after: "settle:") { return [.settle(try time(rest, in: word))] }
    if let rest = rest(of: word, after: "wait:") { return [.wait(try time(rest, in: word))] }
    if let rest = rest(of: word, after: "size:") { return [try size(rest, in: word)] }
    if let rest = rest(of: word, after: "type:") { return typed(rest) }
    return try repeated(word) ?? typed(word)
  }

  /// A key with its repetitions and pause; nil if the word is not a key name.
  private static func repeated(_ word: String) throws(KeyScriptError) -> [KeyStep]? {
    let name = String(word.prefix { $0 != "*" && $0 != "@" })
    guard let key = key(name) else { return nil }
    var rest = word.dropFirst(name.count)
    var count = 1
    var pause: Duration?
    if rest.first == "*" {
      let digits = rest.dropFirst().prefix { $0 != "@" }
      guard let number = Int(digits), 1...most ~= number else {
        throw KeyScriptError(word: word, expected: "a number from 1 to 1000000 after *")
      }
      count = number
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.first == "@" { pause = try time(String(rest.dropFirst()), in: word) }
    let step = [KeyStep.key(key)] + (pause.map { [.wait($0)] } ?? [])
    return Array(repeatElement(step, count: count).joined())
  }

  private static func key(_ name: String) -> Key? {
    if let key = names[name] { return key }
    if let letter = rest(of: name, after: "Ctrl-")?.lowercased(), letter.count == 1,
      let first = letter.first, "a"..."z" ~= first
    {
      return .control(first)
    }
    return name.count == 1 ? name.first.map { .character($0) } : nil
  }

  private static func typed(_ text: String) -> [KeyStep] { text.map { .key(.character($0)) } }

  private static func rest(of word: String, after prefix: String) -> String? {
    word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : nil
  }

  private static func time(_ text: String, in word: String) throws(KeyScriptError) -> Duration {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let scale: Double? =
      switch text.dropFirst(number.count) {
      case "ms": 0.001
      case "s", "": 1
      default: nil
      }
    guard let value = Double(number), let scale, value * scale <= 3600 else {
      throw KeyScriptError(word: word, expected: "a time up to an hour, as 500ms or 2s")
    }
    return .seconds(value * scale)
  }

  private static func size(_ text: String, in word: String) throws(KeyScriptError) -> KeyStep {
    guard let size = TerminalSize(text) else {
      throw KeyScriptError(word: word, expected: "columns and rows, as 80x24")
    }
    return .resize(columns: size.columns, rows: size.rows)
  }
}

/// One step of a key script.
public enum KeyStep: Sendable, Hashable {
  case key(Key)
  /// Waits that long.
  case wait(Duration)
  /// Waits until everything visible is loaded and nothing is in flight, at most that long.
  case settle(Duration)
  /// Resizes the terminal.
  case resize(columns: Int, rows: Int)
}

/// An invalid word in a key script.
public struct KeyScriptError: Error, Sendable, Hashable {
  /// The word, as given.
  public let word: String
  /// What was expected.
  public let expected: String

  public init(word: String, expected: String) {
    self.word = word
    self.expected = expected
  }
}
