import Hosting
import Items
import Paging
import Reports

/// What a recording tells of its run, told again in the order of its times.
struct RecordedTelemetry {
  private let recording: Recording

  init(_ recording: Recording) { self.recording = recording }

  /// Its secrets are gone since it was made.
  var page: RunPage { RunPage(telemetry.json(masking: .none), of: recording.header.script) }

  private struct Moment {
    let time: Instant
    let exchange: Int
    let isAnswer: Bool
  }

  private var telemetry: RunTelemetry {
    let header = recording.header
    let whole = recording.isCut ? "a recording that was cut" : "a recording"
    var telemetry = RunTelemetry(
      RunTelemetry.Facts(
        script: header.script, program: Release.version, startedAt: header.startedAt,
        remark: "\(whole), which has neither decisions nor rows, nor how the run ended"))
    var sample = TelemetrySample()
    for moment in moments {
      if moment.time.seconds >= telemetry.sampleDue { telemetry.sampled(sample, at: telemetry.now) }
      let exchange = recording.exchanges[moment.exchange]
      let id = HostCallID(number: exchange.number)
      if moment.isAnswer {
        end(exchange, id, at: moment.time, in: &telemetry, &sample)
      } else {
        begin(exchange.call, id, at: moment.time, in: &telemetry, &sample)
      }
    }
    telemetry.sampled(sample, at: recording.end.seconds)
    telemetry.ended(RunTelemetry.Ending(code: RunTelemetry.Ending.unknown))
    return telemetry
  }

  /// Calls and their ends by time.
  private var moments: [Moment] {
    var moments: [Moment] = []
    for (place, exchange) in recording.exchanges.enumerated() {
      moments.append(Moment(time: exchange.asked, exchange: place, isAnswer: false))
      let end: Instant
      switch exchange.outcome {
      case .answered(_, let after): end = exchange.asked + after
      case .dropped(let at): end = at
      }
      moments.append(Moment(time: end, exchange: place, isAnswer: true))
    }
    return moments.sorted {
      ($0.time, $0.exchange, $0.isAnswer ? 1 : 0) < ($1.time, $1.exchange, $1.isAnswer ? 1 : 0)
    }
  }

  private func begin(
    _ call: RecordedCall, _ id: HostCallID, at time: Instant, in telemetry: inout RunTelemetry,
    _ sample: inout TelemetrySample
  ) {
    switch call {
    case .call(let call):
      if case .http = call { sample.statistics.requests += 1 }
      telemetry.called(id, TelemetryCall(call), at: time)
    case .emit(let stream, let items, _):
      sample.statistics.items += items
      if let stream { sample.statistics.itemsPerStream[stream, default: 0] += items }
      telemetry.called(id, .delivery, at: time)
    }
  }

  private func end(
    _ exchange: RecordedExchange, _ id: HostCallID, at time: Instant, in telemetry: inout RunTelemetry,
    _ sample: inout TelemetrySample
  ) {
    switch exchange.outcome {
    case .answered(let reply, _):
      if case .response(let response) = reply { sample.statistics.bytesReceived += response.body.count }
      telemetry.answered(id, TelemetryReply(reply), place: "", at: time)
    case .dropped: telemetry.cancelled(id, at: time)
    }
  }
}
