import Lua
import Text

/// One log line of a run: a message with named values.
struct LogLine {
  let level: LogOptions.Level
  let message: String
  var fields: [(name: String, value: LuaValue)] = []

  /// `info: page loaded items=100 of=10`
  var text: String {
    let shown = fields.map { " \($0.name)=\(Self.shown($0.value))" }.joined()
    return HarmlessText.entry("\(level.rawValue): \(message)\(shown)")
  }

  /// The same without secrets: each text is masked separately, since quotes and escapes would hide them.
  func masked(_ redactor: Redactor) -> LogLine {
    var line = LogLine(level: level, message: redactor.redacted(message))
    line.fields = fields.map { name, value in
      guard case .string(let text) = value else { return (redactor.redacted(name), value) }
      return (redactor.redacted(name), .string(redactor.redacted(text)))
    }
    return line
  }

  /// The same as an object, with its time in seconds since 1970.
  func json(at time: Double) -> String { LogEntry.json(level.rawValue, message, fields, at: time) }

  /// Quotes a text if its end would be ambiguous.
  private static func shown(_ value: LuaValue) -> String {
    if case .number(let number) = value, let whole = Int64(exactly: number) { return "\(whole)" }
    if case .number(let number) = value, number.isNaN { return "nan" }
    guard case .string(let text) = value else { return "\(value)" }
    let isPlain =
      !text.isEmpty && !text.unicodeScalars.contains { $0.value <= 0x20 || "\"=".unicodeScalars.contains($0) }
    return isPlain ? text : JSONLine.quoted(text)
  }
}
