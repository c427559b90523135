/// One step of what a script of keys says.
public enum KeyStep: Sendable, Hashable {
  case key(Key)
  /// Nothing happens for so long.
  case wait(Duration)
  /// Goes on when everything visible is there and nothing is in flight, after so long at the latest.
  case settle(Duration)
  /// The terminal has another size.
  case resize(columns: Int, rows: Int)
}

/// A word of a script of keys that says nothing.
public struct KeyScriptError: Error, Sendable, Hashable {
  /// The word as given.
  public let word: String
  /// What it could have been.
  public let expected: String

  public init(word: String, expected: String) {
    self.word = word
    self.expected = expected
  }
}
