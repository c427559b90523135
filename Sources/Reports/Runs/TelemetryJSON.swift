import Items
import JSON
import Paging
import Text

/// Takes the secrets out of texts before anybody sees them.
public struct TelemetryMask {
  /// Of any text.
  public let text: (String) -> String
  /// Of an address, whose parameters may tell by their names.
  public let url: (String) -> String

  public init(text: @escaping (String) -> String, url: @escaping (String) -> String) {
    (self.text, self.url) = (text, url)
  }

  /// No secrets.
  public static var none: TelemetryMask { TelemetryMask(text: { $0 }, url: { $0 }) }

  /// A sentence, with the addresses in it.
  func sentence(_ sentence: String) -> String {
    guard sentence.contains("://") else { return text(sentence) }
    let words = sentence.split(separator: " ", omittingEmptySubsequences: false)
    return text(words.map { $0.contains("://") ? url(String($0)) : String($0) }.joined(separator: " "))
  }
}

extension RunTelemetry {
  /// All of it as one JSON object, without what could end a script element, and never larger than a page may be: the data of
  /// the live page and of the report.
  public func json(masking mask: TelemetryMask) -> String {
    var json = JSONWriter(capacity: 32_768, escaping: .markup)
    TelemetryWriter(telemetry: self, mask: mask).write(&json)
    return json.string
  }
}

/// Writes the data of a run's page.
private struct TelemetryWriter {
  /// What is shown of one text, and of one row, in bytes.
  private static let (longestText, longestRow) = (400, 400)
  private static let mostNames = 1_000
  private static let mostBars = 900
  let telemetry: RunTelemetry
  let mask: TelemetryMask

  func write(_ json: inout JSONWriter) {
    json.object { json in
      json.member("format", "lookahead run")
      json.member("version", 1)
      json.member("run", facts)
      json.member("now", rounded(telemetry.now))
      json.member("totals", totals)
      json.member("buckets", buckets)
      json.member("sources", telemetry.sources.texts) { $0.text(shown($1)) }
      json.member("reasons", telemetry.reasons.texts) { $0.text(shown($1)) }
      json.member("pages", pages)
      json.member("hosts", hostOrder, host)
      json.member("decisions", decisions)
      json.member("streams", streamNames, stream)
      json.member("partitions", partitions)
      if !telemetry.workers.isEmpty { json.member("workers", workers) }
      json.member("waits", waits)
      faults(&json)
      lines(&json)
    }
  }

  private func facts(_ json: inout JSONWriter) {
    let facts = telemetry.facts
    json.member("script", shown(facts.script))
    json.member("program", facts.program)
    json.member("startedAt", facts.startedAt)
    if !facts.remark.isEmpty { json.member("remark", shown(facts.remark)) }
    guard let ending = telemetry.ending else { return }
    json.member("exitCode", ending.code)
    if !ending.message.isEmpty { json.member("message", shown(ending.message)) }
  }

  private func totals(_ json: inout JSONWriter) {
    let sample = telemetry.sample
    json.member("items", sample.statistics.items)
    if let expected = telemetry.expected { json.member("expected", expected) }
    json.member("missing", sample.missing)
    json.member("removals", sample.statistics.removals)
    json.member("refreshes", sample.statistics.refreshes)
    json.member("pages", sample.statistics.pages)
    json.member("pagesInFlight", sample.statistics.inFlight)
    json.member("requests", sample.statistics.requests)
    json.member("retries", sample.statistics.retries)
    json.member("duplicates", sample.statistics.duplicates)
    json.member("bytesReceived", sample.statistics.bytesReceived)
    json.member("stalls", sample.statistics.stalls)
    json.member("memory", sample.memory)
    json.member("processor", rounded(sample.processor))
    guard sample.statistics.partitions.listed > 0 else { return }
    json.member("partitions") { json in
      json.member("listed", sample.statistics.partitions.listed)
      json.member("done", sample.statistics.partitions.done)
      json.member("isListed", sample.statistics.partitions.isListed)
      if let left = sample.statistics.partitions.left { json.member("left", left) }
    }
  }

  private func buckets(_ json: inout JSONWriter) {
    json.member("width", telemetry.buckets.width)
    json.member(
      "columns",
      [
        "items", "pages", "requests", "failures", "retries", "bytes", "answers", "latency", "slowest",
        "inFlight",
        "memory", "partitions",
      ]
    ) { $0.text($1) }
    json.member("rows", telemetry.buckets.buckets) { json, bucket in
      json.array { json in
        for count in [
          bucket.items, bucket.pages, bucket.requests, bucket.failures, bucket.retries, bucket.bytes,
          bucket.answers,
        ] { json.integer(Int64(count)) }
        json.real(rounded(bucket.latency))
        json.real(rounded(bucket.slowest))
        json.integer(Int64(bucket.inFlight))
        json.integer(Int64(bucket.memory))
        json.integer(Int64(bucket.partitions))
      }
    }
  }

  /// Source, number, direction, attempt, start, length, outcome, items and reason of each bar.
  private func pages(_ json: inout JSONWriter) {
    let bars = telemetry.pages.drawn(at: telemetry.now).suffix(Self.mostBars)
    json.member("count", telemetry.pages.count)
    json.member("landed", telemetry.pages.landed)
    json.member("bars", bars) { json, bar in
      json.array { json in
        json.integer(Int64(bar.source))
        json.integer(Int64(bar.number))
        json.text(bar.direction.rawValue)
        json.integer(Int64(bar.attempt))
        json.real(rounded(bar.start))
        json.real(rounded(bar.length))
        json.integer(Int64(bar.outcome.rawValue))
        json.integer(Int64(bar.items))
        json.integer(Int64(bar.reason))
      }
    }
  }

  /// Those with something to do first, then by requests.
  private var hostOrder: [Int] {
    let hosts = telemetry.hosts
    return Array(
      hosts.names.indices.sorted {
        (hosts[$0].inFlight, hosts[$0].requests, $1) > (hosts[$1].inFlight, hosts[$1].requests, $0)
      }.prefix(100))
  }

  private func host(_ json: inout JSONWriter, _ number: Int) {
    let host = telemetry.hosts[number]
    let name = telemetry.hosts.names[number]
    let standing = telemetry.sample.hosts.first { $0.host == name }
    json.object { json in
      json.member("name", shown(name))
      json.member("requests", host.requests)
      json.member("inFlight", host.inFlight)
      json.member("waiting", standing?.waiting ?? 0)
      if let limit = standing?.limit { json.member("limit", limit) }
      if let until = standing?.closedUntil.seconds, until > telemetry.now {
        json.member("closedUntil", rounded(until))
      }
      if let next = standing?.nextSend?.seconds, next > telemetry.now {
        json.member("nextSend", rounded(next))
      }
      json.member("answers", host.answers)
      json.member("refusals", host.refusals)
      json.member("losses", host.losses)
      json.member("bytes", host.bytes)
      json.member("mean", rounded(host.meanLatency))
      json.member("p95", rounded(host.quantile(0.95)))
      json.member("slowest", rounded(host.slowest))
      if let trouble = host.trouble { json.member("trouble", shown(trouble)) }
    }
  }

  private func decisions(_ json: inout JSONWriter) {
    json.member("count", telemetry.decisions.count)
    json.member("byReason", telemetry.reasonCounts) { json, count in json.integers([count.yes, count.no]) }
    json.member("last", telemetry.decisions.elements) { json, decision in
      json.array { json in
        json.real(rounded(decision.time))
        json.integer(Int64(decision.source))
        json.text(decision.direction.rawValue)
        json.integers([decision.fetch, decision.reason, decision.remaining, decision.inFlight])
      }
    }
  }

  private var streamNames: [String] {
    let names = Set(telemetry.sample.statistics.itemsPerStream.keys).union(telemetry.rows.keys)
    return Array(names.sorted().prefix(100))
  }

  private func stream(_ json: inout JSONWriter, _ name: String) {
    let named = telemetry.sample.statistics.itemsPerStream.values.reduce(0, +)
    json.object { json in
      json.member("name", shown(name))
      json.member(
        "items", telemetry.sample.statistics.itemsPerStream[name] ?? telemetry.sample.statistics.items - named
      )
      json.member("rows", telemetry.rows[name] ?? []) { $0.text(row($1)) }
    }
  }

  private func row(_ row: Bytes) -> String {
    HarmlessText.cut(HarmlessText.lines(mask.sentence(row.string)), to: Self.longestRow)
  }

  /// A letter for each, and names: of all where they are few, else of those that are read or have failed.
  private func partitions(_ json: inout JSONWriter) {
    let partitions = telemetry.partitions
    json.member("count", partitions.count)
    json.member("counts", partitions.counts) { $0.integer(Int64($1)) }
    json.member("states", partitions.states.prefix(TelemetryPartitions.most).map(\.letter).joined())
    let all = partitions.names.indices
    let named =
      partitions.count <= Self.mostNames
      ? Array(all)
      : all.filter { [.reading, .failed].contains(partitions.states[$0]) }.suffix(Self.mostNames)
    json.member("names", named) { json, place in
      json.array {
        $0.integer(Int64(place))
        $0.text(HarmlessText.cut(shown(partitions.shortName(of: place)), to: 120))
      }
    }
  }

  private func workers(_ json: inout JSONWriter) {
    WorkersWriter(workers: telemetry.workers, now: telemetry.now, shown: shown).write(&json)
  }

  /// Calls that are not answered, by kind: how many, since when, and until when.
  private func waits(_ json: inout JSONWriter) {
    var kinds: [String: (count: Int, since: Double, until: Double)] = [:]
    for call in telemetry.open.values {
      var until = 0.0
      let kind: String
      switch call.call {
      case .request: kind = "request"
      case .delivery: kind = "output"
      case .sleep(let duration):
        kind = "sleep"
        until = call.start + duration.inSeconds
      case .begin: kind = "beginning"
      case .read: kind = "partition"
      case .other(let name): kind = name.description
      }
      let known = kinds[kind] ?? (0, call.start, until)
      kinds[kind] = (known.count + 1, min(known.since, call.start), max(known.until, until))
    }
    for (kind, wait) in kinds.sorted(by: { $0.key < $1.key }) {
      json.member(kind) { json in
        json.member("count", wait.count)
        json.member("since", rounded(wait.since))
        if wait.until > 0 { json.member("until", rounded(wait.until)) }
      }
    }
    if let oldest = telemetry.pages.oldest {
      json.member("page") { json in
        json.member("source", oldest.source)
        json.member("since", rounded(oldest.start))
      }
    }
  }

  private func faults(_ json: inout JSONWriter) {
    let faults = telemetry.faults.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
    json.member("faults", faults) { json, fault in
      json.object { json in
        json.member("place", shown(fault.key))
        json.member("count", fault.value.count)
        json.member("message", shown(fault.value.message))
        json.member("time", rounded(fault.value.time))
      }
    }
    json.member("badRequestCount", telemetry.badRequests.count)
    json.member("badRequests", telemetry.badRequests.elements) { json, request in
      json.object { json in
        json.member("time", rounded(request.time))
        json.member("method", shown(request.method))
        json.member("url", HarmlessText.cut(HarmlessText.line(mask.url(request.url)), to: Self.longestText))
        json.member("status", request.status)
        json.member("seconds", rounded(request.length))
        json.member("message", shown(request.message))
        json.member("place", shown(request.place))
      }
    }
  }

  private func lines(_ json: inout JSONWriter) {
    json.member("lineCount", telemetry.lines.count)
    json.member("lines", telemetry.lines.elements) { json, line in
      json.array {
        $0.real(rounded(line.time))
        $0.text(line.level)
        $0.text(shown(line.text))
      }
    }
  }

  private func shown(_ text: String) -> String {
    HarmlessText.cut(HarmlessText.lines(mask.sentence(text)), to: Self.longestText)
  }

  /// To a tenth of a millisecond.
  private func rounded(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10_000 }
}
