import JSON
import Paging
import Text

/// Payloads of the OpenTelemetry protocol in its JSON form (opentelemetry-proto 1, OTLP/JSON): numbers of 64 bits are texts,
/// ids are hexadecimal, enumerations are numbers.
public struct OTLPPayload {
  private let facts: RunTelemetry.Facts
  private let mask: TelemetryMask

  /// Of the run with these facts.
  public init(_ facts: RunTelemetry.Facts, masking mask: TelemetryMask) {
    (self.facts, self.mask) = (facts, mask)
  }

  /// What waits in the trace, which it leaves; nil if nothing does.
  public func traces(_ trace: inout RunTrace) -> String? {
    let spans = trace.take()
    guard !spans.isEmpty else { return nil }
    return document("resourceSpans", "scopeSpans") { json in
      json.member("spans", spans) { write($1, of: trace, &$0) }
    }
  }

  /// All metrics as they are now.
  public func metrics(_ telemetry: RunTelemetry) -> String {
    let now = nanoseconds(telemetry.now)
    return document("resourceMetrics", "scopeMetrics") { json in
      json.member("metrics", telemetry.metrics.list) { write($1, at: now, &$0) }
    }
  }

  private func document(_ resources: String, _ scopes: String, _ inner: (inout JSONWriter) -> Void) -> String
  {
    var json = JSONWriter(capacity: 16_384)
    json.object { json in
      json.key(resources)
      json.array { json in
        json.object { json in
          json.member("resource") { json in
            attributes(
              [
                ("service.name", .text("lookahead")), ("service.version", .text(facts.program)),
                ("lookahead.script", .text(facts.script)),
              ], &json)
          }
          json.key(scopes)
          json.array { json in
            json.object { json in
              json.member("scope") {
                $0.member("name", "lookahead")
                $0.member("version", facts.program)
              }
              inner(&json)
            }
          }
        }
      }
    }
    return json.string
  }

  private func write(_ span: RunTrace.Span, of trace: RunTrace, _ json: inout JSONWriter) {
    json.object { json in
      json.member("traceId", hexadecimal(trace.traceID.0) + hexadecimal(trace.traceID.1))
      json.member("spanId", hexadecimal(span.id))
      if span.id != trace.rootID { json.member("parentSpanId", hexadecimal(trace.rootID)) }
      json.member("name", mask.text(span.name))
      json.member("kind", span.kind.rawValue)
      json.member("startTimeUnixNano", nanoseconds(span.start))
      json.member("endTimeUnixNano", nanoseconds(span.end))
      attributes(span.attributes, &json)
      guard let fault = span.fault else { return }
      json.member("status") {
        $0.member("code", 2)
        $0.member("message", shown(fault))
      }
    }
  }

  private func write(_ metric: TelemetryMetric, at now: String, _ json: inout JSONWriter) {
    let total = "_total"
    let name = metric.name.hasSuffix(total) ? String(metric.name.dropLast(total.count)) : metric.name
    json.object { json in
      json.member("name", name.replacing("lookahead_", with: "lookahead."))
      json.member("description", metric.help)
      switch metric.value {
      case .gauge(let points): json.member("gauge") { write(points, at: now, &$0) }
      case .counter(let points):
        json.member("sum") { json in
          json.member("aggregationTemporality", 2)
          json.member("isMonotonic", true)
          write(points, at: now, &json)
        }
      case .histogram(let points):
        json.member("histogram") { json in
          json.member("aggregationTemporality", 2)
          json.member("dataPoints", points) { write($1.0, $1.1, at: now, &$0) }
        }
      }
    }
  }

  private func write(_ points: [TelemetryMetric.Point], at now: String, _ json: inout JSONWriter) {
    json.member("dataPoints", points) { json, point in
      json.object { json in
        times(now, point.0, &json)
        json.member("asDouble", point.1)
      }
    }
  }

  private func write(
    _ labels: TelemetryMetric.Labels, _ histogram: TelemetryMetric.Histogram, at now: String,
    _ json: inout JSONWriter
  ) {
    json.object { json in
      times(now, labels, &json)
      json.member("count", "\(histogram.counts.reduce(0, +))")
      json.member("sum", histogram.sum)
      json.member("bucketCounts", histogram.counts) { $0.text("\($1)") }
      json.member("explicitBounds", histogram.bounds) { $0.real($1) }
    }
  }

  private func times(_ now: String, _ labels: TelemetryMetric.Labels, _ json: inout JSONWriter) {
    json.member("startTimeUnixNano", nanoseconds(0))
    json.member("timeUnixNano", now)
    attributes(labels.map { ($0.0, .text($0.1)) }, &json)
  }

  private func attributes(_ attributes: [(String, RunTrace.Attribute)], _ json: inout JSONWriter) {
    json.member("attributes", attributes) { json, attribute in
      json.object { json in
        json.member("key", attribute.0)
        json.member("value") { json in
          switch attribute.1 {
          case .text(let text): json.member("stringValue", shown(text))
          case .url(let url): json.member("stringValue", shown(mask.url(url)))
          case .integer(let number): json.member("intValue", "\(number)")
          }
        }
      }
    }
  }

  private func shown(_ text: String) -> String { HarmlessText.cut(mask.sentence(text), to: 1_000) }

  /// Nanoseconds since 1970, as a text.
  private func nanoseconds(_ seconds: Double) -> String {
    let start = Int64(max(0, min(9e9, facts.startedAt)) * 1e9)
    return "\(start + Int64(max(0, min(Limits.seconds, seconds)) * 1e9))"
  }

  private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
