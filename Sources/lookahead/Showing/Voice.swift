import Glibc
import Hosting
import Items
import Lua
import Paging
import Scripting
import Text

/// A run's messages on standard error: log lines, prints, errors, the summary. Secrets are masked.
final class Voice {
  /// Erases the progress line before something is written.
  var clear: () -> Void = {}
  /// Whether what the script prints goes to the standard output.
  var printsToOutput = false
  /// The last error that was said.
  private(set) var lastError = ""
  let redactor: Redactor
  /// The time that lines have, in seconds since 1970.
  var clock: () -> Double = { LogEntry.now }
  private let options: LogOptions
  /// Hosts said to be unavailable; single retries are then shown at debug level only.
  private var unavailableHosts: Set<String> = []
  /// Hosts of which it was said that redirects have them asked without a body.
  private var hostsOfLostBodies: Set<String> = []

  init(_ options: LogOptions, secrets: [String]) {
    self.options = options
    redactor = Redactor(secrets)
  }

  func say(_ observation: Observation) {
    switch observation {
    case .printed(let text):
      printsToOutput ? StandardOutput.show(redactor.redacted(text)) : write(text, as: "print")
    case .logged(let level, let message, let fields):
      log(LogLine(level: LogOptions.Level(rawValue: level) ?? .info, message: message, fields: fields))
    case .wouldSend(let call): StandardOutput.show(redactor.redacted(call.line))
    case .gateNoted(let note, let now): gate(note, now)
    case .noted(let source, let note, let now): machine(source, note, now)
    case .fetching: break
    }
  }

  /// An error, even if quiet was requested.
  func error(_ text: String) {
    lastError = text
    write(HarmlessText.entry(HarmlessText.cut(redactor.redacted(text), to: Wording.longest)), as: "error")
  }

  /// A message at debug level.
  func debug(_ message: String) { log(LogLine(level: .debug, message: message)) }

  func info(_ message: String) { log(LogLine(level: .info, message: message)) }

  func warn(_ message: String) { log(LogLine(level: .warn, message: message)) }

  func summary(_ summary: Summary) {
    guard !options.quiet else { return }
    write(summary.line, as: "info", summary.numbers)
  }

  /// Where the run's page is, also if quiet was requested: there is no other way to know.
  func say(page url: String) { write("the run's page: \(url)", as: "info", [("url", .string(url))]) }

  /// How far a run is, for those who read a log: as words, or as JSON with numbers.
  func progress(_ text: String, _ numbers: [(name: String, value: LuaValue)]) {
    let isText = !StandardErrors.areJSON
    show(LogLine(level: .info, message: isText ? text : "progress", fields: isText ? [] : numbers))
  }

  private func gate(_ note: GateNote, _ now: Instant) {
    switch note {
    case .unavailable(let host, let reason, let upTo):
      unavailableHosts.insert(host)
      warn("\(reason); trying again for up to \(Amount.duration(upTo.inSeconds))")
    case .available(let host):
      unavailableHosts.remove(host)
      log(LogLine(level: .info, message: "the server \(host) answers again"))
    case .closed(let host, let until):
      log(
        LogLine(
          level: .info, message: "the server asked to wait",
          fields: [
            ("host", .string(host)), ("seconds", seconds(until, now)),
          ]))
    case .retrying(_, let attempt, let at, let reason):
      log(
        LogLine(
          level: unavailableHosts.isEmpty ? .info : .debug, message: "trying again",
          fields: [
            ("reason", .string(reason)), ("attempt", .integer(Int64(attempt))), ("seconds", seconds(at, now)),
          ]))
    case .redirected(_, let to, _, let droppedBody):
      log(LogLine(level: .debug, message: "redirected", fields: [("to", .string(to))]))
      if droppedBody, hostsOfLostBodies.insert(to).inserted {
        warn(
          "\(to) was asked without what a POST was to send, as a redirect makes a GET of it: what came may be another list (ask for the "
            + "address it redirects to)")
      }
    case .narrowed(let host, let width):
      log(
        LogLine(
          level: .debug, message: "fewer requests at once",
          fields: [
            ("host", .string(host)), ("width", .integer(Int64(width))),
          ]))
    }
  }

  private func machine(_ source: String, _ note: Note, _ now: Instant) {
    switch note {
    case .retrying(_, let failure, let attempt, let at):
      log(
        LogLine(
          level: .info, message: "fetching again",
          fields: [
            ("source", .string(source)), ("reason", .string(failure.message)),
            ("attempt", .integer(Int64(attempt))),
            ("seconds", seconds(at, now)),
          ]))
    case .fillsGap(_, let offset, let size):
      log(
        LogLine(
          level: .info, message: "a page was shorter than asked for: fetching the rest",
          fields: [
            ("source", .string(source)), ("offset", .integer(offset)), ("size", .integer(Int64(size))),
          ]))
    case .keptAll(let items):
      log(
        LogLine(
          level: .warn,
          message: "a refresh brought nothing, so nothing is removed (--write mirror removes what is there)",
          fields: [("source", .string(source)), ("items", .integer(Int64(items)))]))
    case .endedPastTotal(_, let failure) where ![404, 410, 416].contains(failure.status):
      log(
        LogLine(
          level: .info, message: "the page behind the total was refused: taken for the end",
          fields: [("source", .string(source)), ("reason", .string(failure.message))]))
    default: break
    }
  }

  /// How long it is until then, to the millisecond.
  private func seconds(_ then: Instant, _ now: Instant) -> LuaValue {
    .number((max(0, (then - now).inSeconds) * 1000).rounded() / 1000)
  }

  private func log(_ line: LogLine) {
    if options.shows(line.level) { show(line) }
  }

  private func show(_ line: LogLine) {
    let line = line.masked(redactor)
    if StandardErrors.areJSON { return put(json: line.json(at: clock())) }
    put(line.text)
  }

  /// Something besides the log: as it is, or as an object like a line of it.
  private func write(_ text: String, as level: String, _ fields: [(name: String, value: LuaValue)] = []) {
    let text = redactor.redacted(text)
    guard StandardErrors.areJSON else { return put(text) }
    let message = text.hasPrefix("error: ") ? String(text.dropFirst("error: ".count)) : text
    put(json: LogEntry.json(level, message, fields, at: clock()))
  }

  private func put(_ text: String) {
    clear()
    let text = options.logTimes ? HarmlessText.entry("\(Timestamp.ofLog(clock())) \(text)") : text
    StandardErrors.show(redactor.redacted(text))
  }

  private func put(json: String) {
    clear()
    StandardErrors.show(object: redactor.redacted(json))
  }
}

extension HostCall {
  /// For a dry run: the request, the statement, the file.
  var line: String {
    switch self {
    case .http(let request): "\(request.method) \(request.url)"
    case .query(_, let statement), .openRows(_, let statement), .execute(_, let statement):
      statement.sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .writeFile(let path, let contents): "WRITE \(path), \(contents.count) bytes"
    default: "\(self)"
    }
  }
}

extension Voice {
  /// Reports totals that disagree with the items received, as an error if items are missing, else as a warning, and the
  /// state of the output.
  func say(_ coverage: Coverage, _ remains: Remains) {
    let shown = coverage.mismatches.prefix(10)
    let last = shown.lastIndex { $0.mismatch.missing > 0 }
    for (place, reading) in shown.enumerated() {
      let mismatch = reading.mismatch
      let came = (mismatch.missing > 0 ? "only " : "") + Amount.count(mismatch.received) + " came"
      let items = Amount.count(mismatch.total) + (mismatch.total == 1 ? " item" : " items")
      let text = "source '\(reading.source)' says that it has \(items), and \(came)"
      if mismatch.mayMiss > 0 {
        warn("source '\(reading.source)': \(Self.moving(mismatch))")
      } else if mismatch.repeated > 0 {
        warn(text + Self.again(mismatch))
      } else if mismatch.missing > 0 {
        let moving = mismatch.moved > 0 ? "\n  Moreover, \(Self.moving(mismatch))." : ""
        error("error: \(text)\n  W\(Self.advice).\(moving)\(place == last ? remains.text : "")")
      } else {
        warn("\(text): w\(Self.advice)")
      }
    }
    let others = coverage.mismatches.count - shown.count
    if others > 0 { warn("the totals of \(Amount.count(others)) other readings disagree too") }
  }

  /// If a list shifts between two requests, an item crosses a page boundary: one is repeated, another is missed.
  private static func again(_ mismatch: TotalMismatch) -> String {
    ", \(Amount.count(mismatch.repeated)) of them again, so that \(Amount.count(mismatch.received - mismatch.repeated)) are there: "
      + "either its id is not unique (id = …), or the list moved while it was read (read it in a fixed order, "
      + "with -j 1 or a cursor)"
  }

  /// If items are removed or edited while a list is read by counted pages, those behind move up, some to pages that were read
  /// already.
  private static func moving(_ mismatch: TotalMismatch) -> String {
    let fell = mismatch.fallen > 0 ? "its total fell by \(Amount.count(mismatch.fallen))" : nil
    let edited =
      mismatch.edited > 0 ? "\(Amount.count(mismatch.edited)) of its items came again, newer," : nil
    return [fell, edited].compactMap(\.self).joined(separator: " and ")
      + " while it was read, so up to \(Amount.count(mismatch.moved)) \(mismatch.moved == 1 ? "item" : "items") may have moved to pages that were read "
      + "already, and be missed: read all of it again, or with keys that do not count (a cursor, or what comes behind the last "
      + "id)"
  }

  private static let advice =
    "here its total is an estimate, leave it out: no total in the page, --total none of lookahead get"
}

/// Masks secrets in all their encodings.
final class Redactor {
  private let mask: SecretMask

  init(_ secrets: [String] = []) { mask = SecretMask(secrets) }

  /// Masks one more secret from now on.
  func add(_ secret: String) { mask.add(secret) }

  func redacted(_ text: String) -> String { mask.masked(text) }
}
