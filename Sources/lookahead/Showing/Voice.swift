import Lua
import Paging
import Scripting

/// What a run says on standard error: log lines, prints, errors, the summary. Secrets are never among it.
final class Voice {
  /// Takes away what is drawn on the last line before something is written.
  var clear: () -> Void = {}
  private let options: ReportOptions
  private let secrets: [String]

  init(_ options: ReportOptions, secrets: [String]) {
    self.options = options
    self.secrets = secrets
  }

  func say(_ observation: Observation) {
    switch observation {
    case .printed(let text): write(text)
    case .logged(let level, let message, let fields): log(level, message, fields)
    case .wouldSend(let request): print("\(request.method) \(redacted(request.url))")
    case .gateNoted(let note, _): gate(note)
    case .noted(let source, let note, _): machine(source, note)
    }
  }

  /// An error, whatever was asked to be quiet.
  func error(_ text: String) {
    clear()
    standardError(redacted(text))
  }

  func summary(_ summary: Summary) {
    guard !options.quiet else { return }
    clear()
    standardError(summary.line)
  }

  private func gate(_ note: GateNote) {
    switch note {
    case .closed(let host, let until):
      log("info", "\(host) asked to wait", [("until", .number(until.seconds))])
    case .retrying(_, let attempt, _, let reason):
      log("info", "trying again", [("attempt", .integer(Int64(attempt))), ("reason", .string(reason))])
    case .redirected(_, let to, _): log("debug", "redirected", [("to", .string(to))])
    case .narrowed(let host, let width):
      log("debug", "fewer requests at once", [("host", .string(host)), ("width", .integer(Int64(width)))])
    }
  }

  private func machine(_ source: String, _ note: Note) {
    switch note {
    case .retrying(_, let failure, let attempt, _):
      log("info", "fetching again", [("attempt", .integer(Int64(attempt))), ("reason", .string(failure.message)),
        ("source", .string(source))])
    case .fillsGap(_, let offset, let size):
      log("info", "a page was shorter than asked for: fetching the rest", [
        ("offset", .integer(offset)), ("size", .integer(Int64(size))), ("source", .string(source))])
    default: break
    }
  }

  private func log(_ level: String, _ message: String, _ fields: [(String, LuaValue)]) {
    let order = ReportOptions.Level.allCases.map(\.rawValue)
    let least = options.quiet ? "error" : options.logLevel.rawValue
    guard (order.firstIndex(of: level) ?? 1) >= (order.firstIndex(of: least) ?? 1) else { return }
    switch options.logFormat {
    case .text:
      let shown = fields.map { " \($0.0)=\($0.1)" }.joined()
      write("\(level): \(message)\(shown)")
    case .json:
      var line = JSONLine()
      line.add("level", level)
      line.add("message", message)
      for (name, value) in fields { line.add(name, value) }
      write(line.text)
    }
  }

  private func write(_ text: String) {
    clear()
    standardError(redacted(text))
  }

  private func redacted(_ text: String) -> String {
    var text = text
    for secret in secrets where text.contains(secret) {
      text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "[secret]")
    }
    return text
  }
}
