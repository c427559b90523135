/// A text that is not the trace it should be.
public struct TraceTextError: Error, Sendable, Hashable {
  /// From 1; 0 when the whole text is meant.
  public let line: Int
  /// What should have been there.
  public let expected: String
  /// What was there, cut to 60 characters.
  public let found: String

  public init(line: Int, expected: String, found: some StringProtocol) {
    self.line = line
    self.expected = expected
    self.found = String(found.prefix(60))
  }
}
