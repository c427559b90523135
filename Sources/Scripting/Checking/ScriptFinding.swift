/// A problem that a check found in a script.
public struct ScriptFinding: Sendable, Equatable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The script fails when it gets there.
    case error
    /// The script runs, but probably not as intended.
    case warning
  }

  /// The kind of finding; the raw value is for programs.
  public enum Rule: String, Sendable {
    case syntax, declaration, unknownGlobal, globalWrite, unknownField, unknownKey, uselessKey
    case unusedLocal, unusedValue, unusedParameter, neverAnswers, neverReadsKey, neverReadsBookmark, onePage
    case waitsInPolicy, wrongCall, wrongVerdict, returnsNothing, isEmpty
  }

  public let severity: Severity
  public let rule: Rule
  /// The displayed file name.
  public let file: String
  /// From 1.
  public let line: Int
  /// In characters from 1; nil if only the line is known.
  public let column: Int?
  /// What is wrong, what was expected, and what to do.
  public let message: String

  public init(
    _ severity: Severity, _ rule: Rule, file: String, line: Int, column: Int? = nil, message: String
  ) {
    self.severity = severity
    self.rule = rule
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `feed.lua:3:7`, without the column if unknown.
  public var place: String { column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)" }
}
