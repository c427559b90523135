import Glibc
import Hosting
import Paging
import Reports
import Scripting
import Serving

/// What shows a run to those who look: the live page, and the file that is made of it in the end.
///
/// It is told what happens on the run's own thread and only counts there; a page is written twice a second at most, and only
/// if the one before was taken.
final class RunWatch {
  /// The file for the page, if any.
  let report: ResultFile?
  private let script: String
  private let address: ListenAddress?
  private let mask: SecretMask
  private let memory: MemoryGauge
  private let collector: CollectorAddress?
  private var server: PageServer?
  private var exporter: TelemetryExporter?
  private var voice: Voice?
  private var telemetry: RunTelemetry
  private var secrets: CallSecrets
  private var sample: () -> TelemetrySample = { TelemetrySample() }
  private var publishedAt = Instant.zero
  /// Calls for variables of the environment, which may be secrets.
  private var variables: [HostCallID: String] = [:]

  private static let pace = Duration.milliseconds(500)

  /// What was asked for.
  struct Wishes {
    var listen: ListenAddress?
    var report: String?
    var collector: CollectorAddress?
    /// What is special about the run, in a sentence.
    var remark = ""
  }

  /// Nil where nobody has asked for anything. Opens the file; errors have been shown when it throws.
  init?(of script: String, _ wishes: Wishes, _ mask: SecretMask) throws(RunExit) {
    guard wishes.listen != nil || wishes.report != nil || wishes.collector != nil else { return nil }
    report = try wishes.report.map { path throws(RunExit) in try ResultFile(path) }
    self.script = script
    self.mask = mask
    address = wishes.listen
    collector = wishes.collector
    memory = MemoryGauge()
    secrets = CallSecrets(mask)
    telemetry = RunTelemetry(
      RunTelemetry.Facts(
        script: script, program: Release.version, startedAt: Double(time(nil)), remark: wishes.remark))
  }

  /// Begins to serve and to tell, if that was asked for: before the cage is entered, as long as there is one thread.
  func begin(telling voice: Voice) throws(RunExit) {
    self.voice = voice
    do throws(SideProcess.Failure) {
      if let collector {
        exporter = try TelemetryExporter(collector, telemetry.facts, TelemetryMask(mask))
      }
      guard let address else { return }
      let page = RunPage(live: mask.masked(script))
      var settings = PageServer.Settings(address: address) { page.html(nonce: $0) }
      settings.enclose = { () throws(SideProcess.Failure) in try ScriptCage.enclose(.taken) }
      let server = try PageServer(settings)
      self.server = server
      voice.say(page: server.url)
      publish()
    } catch {
      voice.error("error: --listen \(address?.text ?? ""): \(error.wording)")
      throw .output
    }
  }

  /// The target of deliveries, which are seen on their way.
  func target(_ target: any DeliveryTarget) -> any DeliveryTarget {
    WatchedTarget(target) { [unowned self] in telemetry.delivered($0) }
  }

  /// The program of a workflow, whose calls and answers are seen.
  func watching(_ program: any Program, of workflow: Workflow) -> any Program {
    sample = { [unowned workflow, memory] in TelemetrySample(workflow, memory) }
    return WatchedProgram(program, of: workflow, self)
  }

  /// From now on the counts are those that are told of workers.
  func watchWorkers() { sample = { [unowned self] in telemetry.workerSample } }

  /// What is told of a run that several processes do.
  func hear(_ news: TelemetryNews, at now: Instant) { telemetry.heard(news, at: now) }

  /// Counts what has happened until now, and shows it; returns when it wants to do so again, though nothing happens.
  @discardableResult
  func pass(to now: Instant) -> Instant? {
    if now.seconds >= telemetry.sampleDue { telemetry.sampled(sample(), at: telemetry.now) }
    guard server != nil || exporter != nil else { return nil }
    let time = Instant.ofMonotonicClock
    guard time - publishedAt >= Self.pace else { return now + (Self.pace - (time - publishedAt)) }
    publishedAt = time
    telemetry.sampled(sample(), at: now.seconds)
    publish()
    if let voice { exporter?.pass(telemetry, voice) }
    return now + Self.pace
  }

  /// The run is over: the last state is shown, and the file written. The exit is that of the file, if it failed.
  func finish(_ exit: RunExit, _ message: String, kept: Int? = nil, at now: Instant) -> RunExit? {
    finish(RunTelemetry.Ending(code: Int(exit.rawValue), message: message), kept: kept, at: now)
  }

  /// The same of a run whose end was told; `kept` are the items that the output has, where that is known.
  func finish(_ ending: RunTelemetry.Ending, kept: Int? = nil, at now: Instant) -> RunExit? {
    var sample = sample()
    if let kept { sample.statistics.items = kept }
    telemetry.sampled(sample, at: now.seconds)
    telemetry.ended(ending)
    let telemetryMask = TelemetryMask(mask)
    let json = telemetry.json(masking: telemetryMask)
    server?.finish(state: json, metrics: telemetry.metrics(masking: telemetryMask))
    if let voice { exporter?.finish(telemetry, voice) }
    do throws(RunExit) {
      try report?.write([RunPage(json, of: mask.masked(script)).html(nonce: "page")])
      return nil
    } catch {
      return error
    }
  }

  private func publish() {
    guard let server, server.hasRoom else { return }
    let telemetryMask = TelemetryMask(mask)
    server.publish(
      state: telemetry.json(masking: telemetryMask), metrics: telemetry.metrics(masking: telemetryMask))
  }
}

/// What it is told.
extension RunWatch {
  func hear(_ observation: Observation) {
    switch observation {
    case .noted(let source, let note, let now):
      telemetry.noted(note, of: source, at: now)
      exporter?.trace.noted(note, of: source, at: now)
    case .fetching(let source, let request, let now):
      telemetry.fetching(request, of: source, at: now)
      exporter?.trace.fetching(request, of: source, at: now)
    case .gateNoted(let note, let now): telemetry.noted(note, at: now)
    case .printed(let text): telemetry.logged(level: "print", text)
    case .logged(let level, let message, let fields):
      let line = LogLine(level: .info, message: message, fields: fields)
      telemetry.logged(level: level, String(line.text.dropFirst("info: ".count)))
    case .wouldSend: break
    }
  }

  /// An event of the program; `place` is the line of the script that waits for an answer.
  func note(_ event: ProgramEvent, at now: Instant, place: (HostCallID) -> String) {
    guard case .replied(let id, let reply) = event else { return }
    let answer = TelemetryReply(reply)
    if let variable = variables.removeValue(forKey: id) { secrets.heed(reply, toVariable: variable) }
    telemetry.answered(id, answer, place: answer.isBad ? place(id) : "", at: now)
    exporter?.trace.answered(id, answer, at: now)
  }

  func note(_ effect: ProgramEffect, at now: Instant) {
    switch effect {
    case .call(let id, let call):
      secrets.heed(call)
      if case .environment(let name) = call { variables[id] = name }
      let shown = TelemetryCall(call)
      telemetry.called(id, shown, at: now)
      exporter?.trace.called(id, shown, at: now)
    case .cancel(let id):
      telemetry.cancelled(id, at: now)
      exporter?.trace.cancelled(id, at: now)
    case .wake, .answer, .dismiss, .finished: break
    }
  }
}

/// A program whose calls and answers are seen; transparent to its loop.
private final class WatchedProgram: Program {
  private let program: any Program
  private unowned let workflow: Workflow
  private let watch: RunWatch

  init(_ program: any Program, of workflow: Workflow, _ watch: RunWatch) {
    self.program = program
    self.workflow = workflow
    self.watch = watch
  }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    watch.pass(to: now)
    watch.note(event, at: now) { workflow.place(of: $0) }
    let effects = program.handle(event, at: now)
    for effect in effects { watch.note(effect, at: now) }
    return effects
  }
}

/// A target whose deliveries are seen before it gets them.
private final class WatchedTarget: DeliveryTarget {
  private let target: any DeliveryTarget
  /// Called on the loop's thread, as the target is.
  private nonisolated(unsafe) let see: (Delivery) -> Void

  init(_ target: any DeliveryTarget, see: @escaping (Delivery) -> Void) {
    self.target = target
    self.see = see
  }

  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? {
    see(delivery)
    return target.accept(delivery, reply: reply)
  }

  func begin(step key: String, _ parameters: String, reply: @escaping @Sendable (HostReply) -> Void) {
    target.begin(step: key, parameters, reply: reply)
  }

  func begin(_ request: ReadingRequest, reply: @escaping @Sendable (HostReply) -> Void) {
    target.begin(request, reply: reply)
  }
}

extension TelemetryMask {
  /// The mask of recordings.
  init(_ mask: SecretMask) { self.init(text: { mask.masked($0) }, url: { mask.masked(url: $0) }) }
}

extension TelemetryReply {
  /// Whether it is an error, of which the script's line is of interest.
  var isBad: Bool {
    switch self {
    case .response(let status, _): status >= 400
    case .failed: true
    case .begun, .done: false
    }
  }
}

extension SideProcess.Failure {
  /// What is wrong with the address.
  var wording: String {
    guard cage.isEmpty else { return "the kernel's cage can't be entered: \(cage)" }
    return switch number {
    case EADDRINUSE: "another program listens there (port 0 is any free one)"
    case EADDRNOTAVAIL: "this machine has no such address"
    case EACCES: "ports below 1024 are for root"
    default: String(cString: strerror(number)).lowercased()
    }
  }
}
