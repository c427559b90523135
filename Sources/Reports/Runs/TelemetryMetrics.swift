import Paging
import Text

extension RunTelemetry {
  /// The counts of the run in the text format of Prometheus, version 0.0.4.
  public func metrics(masking mask: TelemetryMask) -> String {
    var text = MetricsText(mask: mask)
    for metric in metrics.list { text.write(metric) }
    return text.text
  }

  /// The counts of the run.
  var metrics: TelemetryMetrics {
    var metrics = TelemetryMetrics()
    let sample = sample
    metrics.gauge(
      "lookahead_run_info", "The run that these numbers are of; always 1.",
      [([("script", facts.script), ("version", facts.program)], 1)])
    metrics.gauge(
      "lookahead_run_active", "Whether the run goes on: 1, or 0 once it has ended.", ending == nil ? 1 : 0)
    metrics.gauge("lookahead_run_duration_seconds", "How long the run has been going.", now)
    metrics.gauge(
      "lookahead_run_start_time_seconds", "When the run began, in seconds since 1970.", facts.startedAt)
    let named = sample.statistics.itemsPerStream.values.reduce(0, +)
    let rest =
      named < sample.statistics.items || sample.statistics.itemsPerStream.isEmpty
      ? [("", sample.statistics.items - named)] : []
    metrics.counter(
      "lookahead_items_total", "Items given to the output.",
      (sample.statistics.itemsPerStream.sorted { $0.key < $1.key }.prefix(100).map { ($0.key, $0.value) }
        + rest)
        .map { ([("stream", $0.0)], Double($0.1)) })
    if let expected {
      metrics.gauge(
        "lookahead_items_expected", "Items that there will be in the end, as the sources say.",
        Double(expected))
    }
    metrics.gauge(
      "lookahead_items_missing", "Items that sources have but did not send.", Double(sample.missing))
    metrics.counter("lookahead_pages_total", "Pages that took their place.", sample.statistics.pages)
    metrics.gauge(
      "lookahead_pages_in_flight", "Pages that are fetched now.", Double(sample.statistics.inFlight))
    metrics.counter(
      "lookahead_retries_total", "Requests and pages that were tried again.", sample.statistics.retries)
    metrics.counter(
      "lookahead_duplicates_total", "Items that were there already.", sample.statistics.duplicates)
    metrics.counter(
      "lookahead_stalls_total", "How often the reader waited for a page.", sample.statistics.stalls)
    metrics.counter(
      "lookahead_received_bytes_total", "Bytes of answers, after decompression.",
      sample.statistics.bytesReceived)
    hostMetrics(&metrics)
    let yes = reasonCounts.reduce(0) { $0 + $1.yes }
    let no = reasonCounts.reduce(0) { $0 + $1.no }
    metrics.counter(
      "lookahead_decisions_total", "Decisions of policies, and whether to fetch.",
      [([("fetch", "yes")], Double(yes)), ([("fetch", "no")], Double(no))])
    metrics.gauge(
      "lookahead_partitions", "Partitions, by what became of them.",
      TelemetryPartitions.State.allCases.map {
        ([("state", "\($0)")], Double(partitions.counts[Int($0.rawValue)]))
      })
    if sample.statistics.partitions.isListed {
      metrics.gauge(
        "lookahead_partitions_expected", "Partitions that there will be in the end.",
        Double(sample.statistics.partitions.listed))
    }
    if workers.isEmpty {
      metrics.gauge("lookahead_resident_memory_bytes", "Memory of the process.", Double(sample.memory))
      metrics.counter(
        "lookahead_processor_seconds_total", "Processor time of the process.", [([], sample.processor)])
    } else {
      workerMetrics(&metrics)
    }
    return metrics
  }

  private func workerMetrics(_ metrics: inout TelemetryMetrics) {
    metrics.gauge("lookahead_workers", "Processes that read partitions.", Double(workers.workers.count))
    metrics.counter(
      "lookahead_workers_lost_total", "Processes that ended before their end.", workers.lostCount)
    metrics.counter(
      "lookahead_partitions_again_total", "How often a partition was begun once more.", workers.againCount)
    metrics.counter(
      "lookahead_worker_requests_total", "HTTP requests of all workers.", sample.statistics.requests)
    let gates = workers.gates.values.sorted { $0.host < $1.host }
    metrics.gauge(
      "lookahead_gate_granted", "Permits for requests to a host that count now.",
      gates.map { ([("host", $0.host)], Double($0.standing.granted)) })
    metrics.gauge(
      "lookahead_gate_waiting", "Requests of all workers that wait for a permit.",
      gates.map { ([("host", $0.host)], Double($0.standing.waiting)) })
  }

  private func hostMetrics(_ metrics: inout TelemetryMetrics) {
    func each(_ value: (TelemetryHosts.Host) -> Int) -> [TelemetryMetric.Point] {
      hosts.names.indices.map { ([("host", hosts.names[$0])], Double(value(hosts[$0]))) }
    }
    metrics.counter("lookahead_requests_total", "HTTP requests sent, with retries.", each(\.requests))
    metrics.gauge("lookahead_requests_in_flight", "Requests without an answer yet.", each(\.inFlight))
    metrics.counter(
      "lookahead_request_failures_total", "Requests that were answered with an error, or not at all.",
      each { $0.refusals + $0.losses })
    metrics.gauge(
      "lookahead_requests_waiting", "Requests that wait for their host.",
      sample.hosts.map { ([("host", $0.host)], Double($0.waiting)) })
    metrics.gauge(
      "lookahead_request_limit", "How many requests a host may have at once.",
      sample.hosts.map { ([("host", $0.host)], Double($0.limit)) })
    metrics.histogram(
      "lookahead_request_duration_seconds", "How long answered requests took.",
      hosts.names.indices.map { number in
        (
          [("host", hosts.names[number])],
          TelemetryMetric.Histogram(
            bounds: TelemetryHosts.bounds, counts: hosts[number].latencies, sum: hosts[number].latency)
        )
      })
  }
}

/// A count, a level or a histogram of a run, by its labels.
struct TelemetryMetric {
  typealias Labels = [(String, String)]
  typealias Point = (Labels, Double)

  struct Histogram {
    let bounds: [Double]
    /// One more than bounds.
    let counts: [Int]
    let sum: Double
  }

  enum Value {
    case gauge([Point])
    case counter([Point])
    case histogram([(Labels, Histogram)])
  }

  /// As Prometheus has it.
  let name: String
  let help: String
  let value: Value
}

/// Metrics in their order; those without a value are left out.
struct TelemetryMetrics {
  private(set) var list: [TelemetryMetric] = []

  mutating func gauge(_ name: String, _ help: String, _ value: Double) { gauge(name, help, [([], value)]) }

  mutating func gauge(_ name: String, _ help: String, _ points: [TelemetryMetric.Point]) {
    if !points.isEmpty { list.append(TelemetryMetric(name: name, help: help, value: .gauge(points))) }
  }

  mutating func counter(_ name: String, _ help: String, _ value: Int) {
    counter(name, help, [([], Double(value))])
  }

  mutating func counter(_ name: String, _ help: String, _ points: [TelemetryMetric.Point]) {
    if !points.isEmpty { list.append(TelemetryMetric(name: name, help: help, value: .counter(points))) }
  }

  mutating func histogram(
    _ name: String, _ help: String, _ points: [(TelemetryMetric.Labels, TelemetryMetric.Histogram)]
  ) {
    if !points.isEmpty { list.append(TelemetryMetric(name: name, help: help, value: .histogram(points))) }
  }
}

/// Writes metrics line by line, as Prometheus reads them.
private struct MetricsText {
  let mask: TelemetryMask
  private(set) var text = ""

  init(mask: TelemetryMask) { self.mask = mask }

  mutating func write(_ metric: TelemetryMetric) {
    let name = metric.name
    switch metric.value {
    case .gauge(let points):
      head(metric, "gauge")
      for (labels, value) in points { line(name, labels, value) }
    case .counter(let points):
      head(metric, "counter")
      for (labels, value) in points { line(name, labels, value) }
    case .histogram(let points):
      head(metric, "histogram")
      for (labels, histogram) in points { write(histogram, name, labels) }
    }
  }

  private mutating func write(
    _ histogram: TelemetryMetric.Histogram, _ name: String, _ labels: TelemetryMetric.Labels
  ) {
    var sum = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      sum += count
      line("\(name)_bucket", labels + [("le", number(bound))], Double(sum))
    }
    sum += histogram.counts.last ?? 0
    line("\(name)_bucket", labels + [("le", "+Inf")], Double(sum))
    line("\(name)_sum", labels, histogram.sum)
    line("\(name)_count", labels, Double(sum))
  }

  private mutating func head(_ metric: TelemetryMetric, _ kind: String) {
    text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(kind)\n"
  }

  private mutating func line(_ name: String, _ labels: TelemetryMetric.Labels, _ value: Double) {
    let labels = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
    text += labels.isEmpty ? "\(name) \(number(value))\n" : "\(name){\(labels)} \(number(value))\n"
  }

  private func escaped(_ value: String) -> String {
    HarmlessText.cut(mask.sentence(value), to: 200)
      .escaping("\\", as: "\\\\").escaping("\"", as: "\\\"").escaping("\n", as: "\\n")
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
