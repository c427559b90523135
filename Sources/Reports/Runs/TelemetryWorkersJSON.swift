import JSON
import Text

/// Writes the workers of a run and their gates as data of its page.
struct WorkersWriter {
  /// More workers and gates are counted only.
  private static let (mostWorkers, mostGates) = (500, 100)
  let workers: TelemetryWorkers
  let now: Double
  let shown: (String) -> String

  func write(_ json: inout JSONWriter) {
    let all = workers.workers.values.sorted { ($0.machine, $0.name) < ($1.machine, $1.name) }
    json.member("count", all.count)
    json.member("machines", Set(all.map(\.machine)).subtracting([""]).count)
    json.member("gone", workers.goneCount)
    json.member("lost", workers.lostCount)
    json.member("again", workers.againCount)
    json.member("list", all.prefix(Self.mostWorkers) + workers.gone.filter { $0.reason != "" }) {
      json, worker in
      json.object { write(worker, &$0) }
    }
    let gates = workers.gates.values.sorted {
      ($0.standing.waiting, $0.standing.granted, $1.host) > (
        $1.standing.waiting, $1.standing.granted, $0.host
      )
    }
    json.member("gates", gates.prefix(Self.mostGates)) { json, gate in json.object { write(gate, &$0) } }
  }

  private func write(_ worker: TelemetryWorkers.Worker, _ json: inout JSONWriter) {
    json.member("name", shown(worker.name))
    json.member("machine", shown(worker.machine))
    json.member("reading", worker.reading.count)
    json.member("done", worker.done)
    json.member("pages", worker.counts.pages)
    json.member("requests", worker.counts.requests)
    json.member("retries", worker.counts.retries)
    json.member("bytes", worker.counts.bytes)
    json.member("inFlight", worker.counts.inFlight)
    json.member("heardAt", rounded(worker.heardAt))
    if let reason = worker.reason { json.member("reason", shown(reason)) }
  }

  private func write(_ gate: TelemetryWorkers.Gate, _ json: inout JSONWriter) {
    json.member("host", shown(gate.host))
    json.member("granted", gate.standing.granted)
    if let width = gate.standing.width {
      json.member("width", width)
      json.member("seconds", gate.standing.seconds)
    }
    json.member("waiting", gate.standing.waiting)
    json.member("workers", gate.standing.workers)
    if gate.closedUntil > now { json.member("closedUntil", rounded(gate.closedUntil)) }
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10_000 }
}
