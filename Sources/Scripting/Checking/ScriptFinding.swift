/// Something that a check has to say of a script.
public struct ScriptFinding: Sendable, Equatable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The script fails when it gets there.
    case error
    /// The script runs, and most likely not as it was meant.
    case warning
  }

  /// What kind of finding it is; the raw value is for programs.
  public enum Rule: String, Sendable {
    case syntax, declaration, unknownGlobal, globalWrite, unknownField, unknownKey, uselessKey
    case unusedLocal, unusedValue, unusedParameter, neverAnswers, neverReadsKey, onePage, waitsInPolicy
    case wrongCall, wrongVerdict, returnsNothing
  }

  public let severity: Severity
  public let rule: Rule
  /// The file as it is shown to people.
  public let file: String
  /// From 1.
  public let line: Int
  /// In characters from 1; nil where only the line is known.
  public let column: Int?
  /// What is wrong, with what was expected and what to do.
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

  /// `feed.lua:3:7`, or without the column where it is not known.
  public var place: String { column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)" }
}
