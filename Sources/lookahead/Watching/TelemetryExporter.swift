import Glibc
import Hosting
import Items
import Paging
import Reports
import Serving

/// Tells a collector what a run does (OTLP/JSON), from a process beside it: a collector that is slow, down or wrong costs the
/// run a warning and nothing else. What it does not take in time is left out.
final class TelemetryExporter {
  /// What waits to be told.
  var trace: RunTrace
  private let process: SideProcess
  private let payload: OTLPPayload
  private let address: CollectorAddress
  private var metricsAt = Instant.zero
  private var hasFailed = false

  private static let metricsPace = Duration.seconds(5)

  /// Begins; the process must still have a single thread.
  init(
    _ address: CollectorAddress, _ facts: RunTelemetry.Facts, _ mask: TelemetryMask
  ) throws(SideProcess.Failure) {
    self.address = address
    trace = RunTrace(seed: UInt64.random(in: 0...UInt64.max))
    payload = OTLPPayload(facts, masking: mask)
    process = try SideProcess { CollectorProcess(address).live(socket: $0) }
  }

  /// Tells what has happened, unless what was told before was not taken yet; says once what is wrong.
  func pass(_ telemetry: RunTelemetry, _ voice: Voice) {
    listen(voice)
    guard process.hasRoom else { return }
    var frames = traces()
    let now = Instant.ofMonotonicClock
    if now - metricsAt >= Self.metricsPace {
      metricsAt = now
      frames.append(CollectorProcess.Kind.metrics.frame(payload.metrics(telemetry)))
    }
    if !frames.isEmpty { process.tell(frames) }
  }

  /// Tells the rest. A collector that has answered so far gets a second for it.
  func finish(_ telemetry: RunTelemetry, _ voice: Voice) {
    listen(voice)
    trace.ended(telemetry)
    let isIdle = process.hasRoom
    process.tell(traces() + [CollectorProcess.Kind.metrics.frame(payload.metrics(telemetry))])
    process.tell([CollectorProcess.Kind.end.frame("")])
    if isIdle, !hasFailed { process.finish(within: 1_000) { [self] in warn($0, voice) } }
  }

  private func traces() -> [SideFrame] {
    payload.traces(&trace).map { [CollectorProcess.Kind.traces.frame($0)] } ?? []
  }

  private func listen(_ voice: Voice) {
    if let word = process.word() { warn(word, voice) }
  }

  private func warn(_ word: SideFrame, _ voice: Voice) {
    guard !hasFailed else { return }
    hasFailed = true
    voice.warn(
      "--otlp \(address.shown): \(String(decoding: word.bytes, as: UTF8.self)); the run goes on, and what the collector "
        + "does not take is lost")
  }
}

/// The process that tells the collector.
private struct CollectorProcess {
  enum Kind: UInt8 {
    case traces, metrics, end

    func frame(_ text: String) -> SideFrame { SideFrame(kind: rawValue, text) }
  }

  private let address: CollectorAddress
  private let headers: [HTTPHeader]

  init(_ address: CollectorAddress) {
    self.address = address
    headers = Self.headers
  }

  /// Those that OpenTelemetry's variable asks for, as `name=value,name=value`.
  private static var headers: [HTTPHeader] {
    guard let text = getenv("OTEL_EXPORTER_OTLP_HEADERS").map({ String(cString: $0) }) else { return [] }
    return text.split(separator: ",").compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      return HTTPHeader(trimmed(pair[..<equals]), trimmed(pair[pair.index(after: equals)...]))
    }
  }

  /// Posts what comes, one after the other, and says the first failure.
  func live(socket: Int32) {
    do throws(SideProcess.Failure) {
      if let address = try? HTTPAddress(address.url) { try ScriptCage.enclose(CageNet(to: address)) }
    } catch {
      return SideFrame(kind: 0, error.wording).write(to: socket)
    }
    let world = World(
      permissions: Permissions(net: Access(.all)), target: EmptySink(),
      userAgent: "lookahead/\(Release.version)")
    let loop = LiveLoop(world: world)
    var hasFailed = false
    while let frame = SideFrame.read(from: socket), let kind = Kind(rawValue: frame.kind), kind != .end {
      let post = Post(request(kind == .traces ? "traces" : "metrics", frame.bytes))
      loop.run(post)
      guard let failure = post.failure, !hasFailed else { continue }
      hasFailed = true
      SideFrame(kind: 0, String(failure.prefix(400))).write(to: socket)
    }
  }

  private func request(_ name: String, _ body: [UInt8]) -> HTTPRequest {
    var request = HTTPRequest(method: "POST", url: "\(address.url)/v1/\(name)", timeout: .seconds(5))
    request.headers = [HTTPHeader("content-type", "application/json")] + headers
    request.body = body.withUnsafeBytes { Bytes(copying: $0) }
    return request
  }

  /// One request, to its end.
  private final class Post: Program {
    private let request: HTTPRequest
    private(set) var failure: String?

    init(_ request: HTTPRequest) { self.request = request }

    func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
      switch event {
      case .started: return [.call(HostCallID(number: 1), .http(request))]
      case .replied(_, .response(let response)):
        if !(200..<300 ~= response.status) { failure = "the collector answered \(response.status)" }
        return [.finished]
      case .replied(_, .failed(let reason)):
        failure = reason.message
        return [.finished]
      case .replied, .interrupted: return [.finished]
      case .woke, .called, .calledOff, .dismissed: return []
      }
    }
  }
}
