import ArgumentParser
import Glibc
import Hosting
import Lua
import Paging
import Scripting
import Serving
import Terminal

/// One browsed source: sets up and tears down the workflow, the world, the terminal and the output files.
final class BrowseSession {
  private let script: ScriptFile
  private let settings: BrowseSettings
  private let given: GivenParameters
  private var parameters: [String: String] { given.values }
  private let voice: Voice
  private let mask: SecretMask
  private let recorder: TraceRecorder?
  private let summaryFile: ResultFile?
  private let watch: RunWatch?
  /// The script of the policy to start with, if it is a file: read before the cage is shut, as it may be anywhere.
  private let policyScript: ScriptFile?
  private var declarations: () -> Declarations = { Declarations() }
  private var program: BrowseProgram?

  /// A ready session; errors have been shown when it throws.
  init(_ script: ScriptFile, _ settings: BrowseSettings) throws {
    self.script = script
    self.settings = settings
    given = try GivenParameters(settings.parameters)
    voice = Voice(try LogOptions.parse([]), secrets: given.secrets)
    policyScript = try settings.policy.flatMap { text throws(RunExit) in
      PolicyChoice.isFile(text) ? try ScriptFile(text) : nil
    }
    mask = SecretMask(given.secrets, folder: script.folder)
    recorder = try settings.record.map { path throws(RunExit) in
      try TraceRecorder(path, source: script.path)
    }
    watch = try RunWatch(
      of: script.path, RunWatch.Wishes(listen: settings.listen, remark: "a person browses it"), mask)
    summaryFile = try settings.summary.map { path throws(RunExit) in try ResultFile(path, as: .json) }
  }

  /// Browses until the user leaves; everything has been reported on return.
  func run() throws -> RunExit {
    let permissions = try settings.permissions.permissions(scriptFolder: script.folder)
    try enterCage(permissions)
    defer { ScriptCage.leave() }
    let options = options
    let workflow = try Workflow(text: script.text, options: options)
    declarations = { [unowned workflow] in workflow.declarations }
    let (choice, policy) = try choosePolicy()
    let device = try openTerminal()
    let program = BrowseProgram(
      workflow, recordedBy: recorded(workflow, options), size: settings.size, steps: settings.steps,
      device: device, recorder: recorder, choice: choice)
    self.program = program
    if let policy { workflow.browse(.policy(policy)) }
    let (now, total) = browse(program, permissions, device)
    device?.close()
    if device == nil, let screen = program.screen { StandardOutput.show(screen.text) }
    let decider = program.choice.name == PolicyChoice.own ? nil : program.choice.name
    let recorded = recorder?.finish(items: total, policy: decider, at: now, voice) ?? .done
    var exit = finish(workflow)
    if exit == .done { exit = recorded }
    _ = watch?.finish(exit, exit == .done ? "" : voice.lastError, at: now)
    do throws(RunExit) {
      try summaryFile?.write([voice.redactor.redacted(summary(program, now, exit).json)])
    } catch {
      if exit == .done { exit = error }
    }
    return exit
  }

  private func choosePolicy() throws(RunExit) -> (PolicyChoice, (any FetchPolicy)?) {
    var choice = PolicyChoice()
    guard let text = settings.policy else { return (choice, nil) }
    do throws(PolicyChoice.Fault) {
      let policy = try choice.choose(text, of: policyScript)
      return (choice, policy)
    } catch {
      voice.error("error: --policy \(text): \(error.words)")
      throw error.exit
    }
  }

  private func enterCage(_ permissions: Permissions) throws {
    var cage = ScriptCage(permissions, scriptFolder: script.folder)
    cage.write(settings.summary)
    for path in recorder?.laterPaths ?? [] { cage.write(path) }
    for path in script.loadDrivers() { cage.read(path) }
    try watch?.begin(telling: voice)
    try cage.enter(telling: voice)
  }

  /// Runs the loop; returns the ending and the number of items in the source.
  private func browse(
    _ program: BrowseProgram, _ permissions: Permissions, _ device: TerminalDevice?
  ) -> (Instant, Int?) {
    let world = World(
      permissions: permissions, target: EmptySink(), userAgent: "lookahead/\(Release.version)",
      account: program.workflow.account)
    let loop = LiveLoop(world: world, catchesSignals: true)
    loop.onSignal = SignalAction(on: program.workflow) { context, _ in
      Unmanaged<Workflow>.fromOpaque(context).takeUnretainedValue().stopScript()
      TerminalDevice.restore()
    }
    loop.input = device?.descriptor
    program.clock = { [unowned loop] in loop.now }
    var total: Int?
    loop.onTurn = { [watch] now in
      program.draw(at: now)
      total = program.workflow.browsedList?.total ?? total
      return watch?.pass(to: now)
    }
    program.measureRows(posting: loop.mailbox)
    loop.run(watch?.watching(program, of: program.workflow) ?? program)
    program.stopMeasuring()
    loop.input = nil
    world.finish()
    return (loop.now, total)
  }

  private func openTerminal() throws(RunExit) -> TerminalDevice? {
    guard settings.isLive else { return nil }
    do throws(TerminalError) {
      return try TerminalDevice(hasColors: getenv("NO_COLOR") == nil)
    } catch {
      voice.error("error: browse: \(error.reason) (to browse without one: --script KEYS)")
      throw .usage
    }
  }

  /// Wraps the workflow in a recorder, if requested.
  private func recorded(_ workflow: Workflow, _ options: WorkflowOptions) -> (any Program)? {
    recorder?.recorder.recording(workflow, mask: mask) { [unowned self] in
      RecordingHeader(script, options, declarations().parameters, hidden: given.secrets)
    }
  }

  private var options: WorkflowOptions {
    var options = script.options
    options.budget = settings.limits.budget
    options.maxBody = settings.limits.maxBody?.bytes ?? options.maxBody
    options.parameters = parameters
    options.sources = settings.source.map { [$0] } ?? []
    options.overrides = settings.requests.overrides
    options.seed = UInt64.random(in: 0..<UInt64(Int64.max))
    options.startedAt = Double(time(nil))
    options.addCodecs()
    options.observe = { [unowned self] in hear($0) }
    var browse = BrowseOptions()
    browse.maxItems = settings.maxItems
    browse.began = { [unowned self] request, now in
      program?.model.journal.began(request, at: now)
      recorder?.began(request, program?.workflow.browsedConfiguration, at: now)
    }
    options.browse = browse
    return options
  }

  /// The screen has no room for log lines: they go into the panel.
  private func hear(_ observation: Observation) {
    hideSecrets()
    watch?.hear(observation)
    let now = program?.clock() ?? .zero
    switch observation {
    case .noted(_, let note, let at): program?.hear(note, at: at)
    case .printed(let text), .logged(_, let text, _):
      program?.model.journal.add(voice.redactor.redacted(text), at: now)
    case .gateNoted(.closed(let host, _), let at):
      program?.model.journal.add(voice.redactor.redacted("\(host) asked to wait"), at: at)
    case .gateNoted(.retrying(_, let attempt, _, let reason), let at):
      let text = voice.redactor.redacted("request retried (attempt \(attempt)): \(reason)")
      program?.model.journal.add(text, at: at)
    case .gateNoted(.unavailable(_, let reason, _), let at):
      program?.model.journal.add(voice.redactor.redacted(reason), at: at)
    case .gateNoted(.available(let host), let at):
      program?.model.journal.add(voice.redactor.redacted("\(host) answers again"), at: at)
    case .gateNoted, .fetching, .wouldSend: break
    }
  }

  private func hideSecrets() {
    for parameter in declarations().parameters where parameter.isSecret {
      voice.redactor.add(parameters[parameter.name] ?? parameter.defaultText)
      parameters[parameter.name].map { mask.add($0) } ?? mask.learn(parameter.defaultText)
    }
  }

  private func finish(_ workflow: Workflow) -> RunExit {
    hideSecrets()
    guard let failure = workflow.failure else { return .done }
    if failure.kind == .stopped(.interrupted) { return .interrupted }
    voice.error(Wording(failure, of: script).text)
    return RunExit(failure)
  }

  private func summary(_ program: BrowseProgram, _ now: Instant, _ exit: RunExit) -> BrowseSummary {
    BrowseSummary(
      statistics: program.workflow.statistics, frames: program.frames, stalls: program.model.stalls.stalls,
      stalled: program.model.stalls.total(at: now), mostHeld: program.mostHeld,
      maxItems: program.maxItems, elapsed: now, exit: exit)
  }
}

/// The command line's settings for browsing.
struct BrowseSettings {
  var source: String?
  var policy: String?
  var maxItems: Int
  /// Where the trace goes.
  var record: String?
  /// Keys typed by the program; nil if only the user types.
  var steps: [KeyStep]?
  /// Size of a printed screen.
  var size: TerminalSize
  /// Whether there is a terminal to draw on.
  var isLive: Bool
  /// Where the totals go.
  var summary: String?
  /// Where its page is served.
  var listen: ListenAddress?
  var parameters: ParameterOptions
  var limits: BrowseLimitOptions
  var requests: RequestOptions
  var permissions: PermissionOptions
}
