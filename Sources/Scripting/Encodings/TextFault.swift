/// Why a text can't be decoded, and where.
public struct TextFault: Error, Equatable {
  public let message: String
  /// From 1.
  public let line: Int
  /// From 1, in bytes.
  public let column: Int

  public init(message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }
}
