/// A text that is not the expected trace.
public struct TraceTextError: Error, Sendable, Hashable {
  /// From 1; 0 for the whole text.
  public let line: Int
  /// What was expected.
  public let expected: String
  /// What was found, cut to 60 characters.
  public let found: String

  public init(line: Int, expected: String, found: some StringProtocol) {
    self.line = line
    self.expected = expected
    self.found = String(found.prefix(60))
  }
}
