import Hosting
import JSON
import Paging
import Reports

/// A line that `lookahead watch` is told: what `lookahead partitions` and `lookahead work` print, with the name of the worker
/// where there are several, and what only whoever hands out partitions knows.
struct WatchedLine {
  /// In their order.
  let news: [TelemetryNews]
  /// How the run has ended, as that says who runs it.
  private(set) var ending: RunTelemetry.Ending?
  /// Whether a worker came or went, by its own words.
  private(set) var attendance: Attendance?

  enum Attendance: Equatable {
    case came(String)
    case ended(String)
  }

  /// Why a line tells nothing.
  struct Mistake: Error {
    let text: String
  }

  /// The longest line.
  static let longest = 1 << 20

  init(_ text: String) throws(Mistake) {
    guard let line = try? JSONTree(text), case .object = line else {
      throw Mistake(text: "expected a JSON object, got \(text.prefix(60))")
    }
    guard let event = line["event"] else {
      guard let id = line["id"]?.text, let source = line["source"]?.text else {
        throw Mistake(text: "expected an event, or a partition with its id and source: \(text.prefix(200))")
      }
      news = [.listed(id: id, source: source, parameters: Self.parameters(in: text))]
      return
    }
    guard let name = event.text else { throw Mistake(text: "\"event\" is no text: \(text.prefix(200))") }
    let members = Members(name: name, line: line)
    news = try Self.news(members)
    switch name {
    case "ready": attendance = .came(members.worker)
    case "end", "gone": attendance = .ended(members.worker)
    case "over":
      ending = RunTelemetry.Ending(
        code: try members.count("exitCode"), message: members.text("message") ?? "")
    default: break
    }
  }

  private static func news(_ members: Members) throws(Mistake) -> [TelemetryNews] {
    let worker = members.worker
    switch members.name {
    case "listed": return [.listedAll]
    case "ready": return [.came(worker: worker, machine: members.text("machine") ?? "")]
    case "started":
      return [.began(id: try members.id, worker: worker, items: try members.count("items", or: 0))]
    case "position": return [.reached(id: try members.id, items: try members.count("items"))]
    case "done":
      let isNew = members.line["isNew"] != .boolean(false)
      return [.done(id: try members.id, items: try members.count("items", or: 0), isNew: isNew)]
    case "failed":
      if members.text("code") == "superseded" {
        return [.leftToAnother(id: try members.id, worker: worker)]
      }
      let reason = members.text("message") ?? ""
      return [.failed(id: try members.id, message: reason.isEmpty ? members.text("code") ?? "" : reason)]
    case "progress", "end":
      let counted = TelemetryNews.counted(
        worker: worker, try members.counts, silent: try members.seconds("silent", or: 0))
      return members.name == "end" ? [counted, .gone(worker: worker, reason: "")] : [counted]
    case "gone": return [.gone(worker: worker, reason: members.text("reason") ?? "")]
    case "gate": return [try gate(members)]
    case "limited":
      return [.closed(host: try members.needed("host"), seconds: try members.seconds("seconds"))]
    case "log":
      return [.logged(level: members.text("level") ?? "info", message: try members.needed("message"))]
    // Who asks for permits tells it to whoever grants them.
    case "permits", "over": return []
    default: throw Mistake(text: "an event \"\(members.name)\" is not known")
    }
  }

  private static func gate(_ members: Members) throws(Mistake) -> TelemetryNews {
    var standing = GateStanding()
    standing.granted = try members.count("granted", or: 0)
    standing.waiting = try members.count("waiting", or: 0)
    standing.workers = try members.count("workers", or: 0)
    if members.line["width"] != nil {
      standing.width = try members.count("width")
      standing.seconds = try members.seconds("per", or: 1)
    }
    return .gate(host: try members.needed("host"), standing)
  }

  /// As they are written.
  private static func parameters(in text: String) -> String {
    let read = try? JSONReader.read(text) { value in
      value.members.first { $0.key.string == "parameters" }.map {
        String(decoding: $0.value.written, as: UTF8.self)
      }
    }
    return (read ?? nil) ?? ""
  }

  /// The members of an event, each with what is expected of it.
  private struct Members {
    let name: String
    let line: JSONTree

    /// Without a name there is one worker only.
    var worker: String { text("worker") ?? "the worker" }
    var id: String { get throws(Mistake) { try needed("id") } }

    var counts: WorkerCounts {
      get throws(Mistake) {
        var counts = WorkerCounts()
        counts.pages = try count("pages", or: 0)
        counts.requests = try count("requests", or: 0)
        counts.retries = try count("retries", or: 0)
        counts.bytes = try count("bytes", or: 0)
        counts.inFlight = try count("inFlight", or: 0)
        return counts
      }
    }

    func text(_ member: String) -> String? { line[member]?.text }

    func needed(_ member: String) throws(Mistake) -> String {
      guard let text = text(member) else {
        throw Mistake(text: "an event \"\(name)\" has a text \"\(member)\"")
      }
      return text
    }

    func count(_ member: String, or usual: Int? = nil) throws(Mistake) -> Int {
      if line[member] == nil, let usual { return usual }
      guard let count = line[member]?.number.flatMap({ Int(exactly: $0) }), Self.counts ~= count else {
        throw Mistake(
          text: "an event \"\(name)\" has a whole number \"\(member)\", from 0 to \(Self.counts.upperBound)")
      }
      return count
    }

    func seconds(_ member: String, or usual: Double? = nil) throws(Mistake) -> Double {
      if line[member] == nil, let usual { return usual }
      guard let seconds = line[member]?.number, Border.seconds.contains(seconds) else {
        throw Mistake(text: "an event \"\(name)\" has seconds \"\(member)\"")
      }
      return seconds
    }

    /// Sums of many of them are numbers yet.
    private static let counts = 0...(1 << 50)
  }
}
