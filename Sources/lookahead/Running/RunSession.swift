import Glibc
import Hosting
import Items
import Lua
import Paging
import Scripting

/// One run: sets up and tears down the workflow, the world, the sink and the progress display.
final class RunSession {
  private let script: ScriptFile
  private let settings: RunSettings
  private let given: GivenParameters
  private let parameters: [String: String]
  private let voice: Voice
  private let progress: ProgressLine
  private let place: OutputPlace?
  private let trace: TraceWriter?
  private let recorder: RunRecorder?
  private let summaryFile: ResultFile?
  private let replay: RunReplay?
  private let mask: SecretMask
  /// Where ids of items that came before go, once they are too many to hold.
  private let spills: SpillFile?
  private let hurried = StopFlag()
  private let copies = RunCopies()
  private let work: WorkSession?
  private let watch: RunWatch?
  /// Catches signals up to the end, where the output is closed and all is reported.
  private var loop: LiveLoop?
  private var declarations: () -> Declarations = { Declarations() }
  private var knownParameters = 0

  /// A ready session; errors have been shown when it throws.
  init(_ script: ScriptFile, _ settings: RunSettings) throws {
    self.script = script
    self.settings = settings
    var given = try GivenParameters(settings.parameters)
    let ofOutput = given.take(settings.output.secretNames)
    self.given = given
    let secrets = given.secrets + settings.secrets + settings.output.hidden(ofOutput)
    let voice = Voice(settings.report.log, secrets: secrets)
    voice.printsToOutput = settings.printsToOutput
    self.voice = voice
    work = settings.work.map { WorkSession($0, voice) }
    mask = SecretMask(secrets, folder: script.folder)
    replay = try settings.report.replay.map { path throws(RunExit) in try RunReplay(path, of: script, voice) }
    parameters = replay?.parameters(given.values) ?? given.values
    progress = ProgressLine(settings.report, limit: settings.limit, voice)
    try settings.checkOutputs(of: script)
    let hurried = hurried
    place = try settings.openOutput(of: script, ofOutput)
    spills = settings.isFirstLook ? nil : SpillFile.beside(place?.folder)
    trace = try settings.report.trace.map { path throws(RunExit) in
      try TraceWriter(path, voice.redactor, hurried: hurried)
    }
    summaryFile = try settings.report.summary.map { path throws(RunExit) in try ResultFile(path, as: .json) }
    recorder = try settings.report.record.map { path throws(RunExit) in
      try RunRecorder(path, hurried: hurried)
    }
    watch = try RunWatch(
      of: script.path,
      RunWatch.Wishes(
        listen: settings.report.listen, report: settings.report.page, collector: settings.report.otlp,
        remark: replay == nil ? "" : "a replay, in the time of the recorded run"), mask)
    voice.clear = { [weak progress] in progress?.clear() }
  }

  /// Runs to the end; everything has been reported on return.
  func run() throws -> RunExit {
    // One for each thread of the script, and two for those beside them: that of the requests, and that of the sink.
    ThreadMemory.share(arenas: settings.jobs + 2)
    let permissions = settings.granting(try settings.permissions.permissions(scriptFolder: script.folder))
    let net = try enterCage(permissions)
    defer {
      place?.leave()
      ScriptCage.leave()
      loop = nil
    }
    if let warning = place?.warning { voice.warn(warning) }
    if let work { place?.partEvents = { [events = work.events] in events.tell($0) } }
    let sink = try settings.makeSink(place, hurried: hurried) { [redactor = voice.redactor] in
      redactor.redacted($0)
    }
    let options = options(sink)
    let workflow = try Workflow(text: script.text, options: options)
    declarations = { [unowned workflow] in workflow.declarations }
    let target = watch?.target(sink) ?? sink
    let read =
      replay.map { replay in
        replay.run(watched(workflow, workflow), of: workflow, mask: mask, target: target, voice) {
          [unowned self] in hideSecrets()
        }
      } ?? runLive(workflow, options, permissions, net, (sink, target))
    progress.clear()
    var ending = RunEnding(workflow, of: script, settings, remembers: place?.remembers ?? false)
    ending.forgotten = spills?.failure
    ending.wasMisled = work?.wasMisled ?? false
    place?.parameters = workflow.chosen
    let clock = ContinuousClock()
    let finishing = clock.now
    let report = sink.finish(ending.ofSink)
    // A replay takes as long as its recording.
    let elapsed = replay == nil ? read + finishing.duration(to: clock.now) : read
    if let warning = copies.warning { voice.warn(warning) }
    if workflow.failure == nil, let place { CageFiles.keep(place.configuration) }
    hideSecrets()
    var exit = ending.say(report, to: voice)
    if let work { exit = work.end(workflow, elapsed: elapsed, exit: exit) }
    var summary = Summary(workflow, report, elapsed: elapsed, exit: exit)
    summary.hasOutput = !settings.isDryRun && !settings.printsToOutput
    show(summary, report)
    for written in [trace?.finish(), recorder?.finish(voice)] where exit == .done { exit = written ?? .done }
    let message = exit == .done ? "" : voice.lastError
    if let written = watch?.finish(exit, message, kept: summary.items, at: elapsed), exit == .done {
      exit = written
    }
    // Behind all that may change how the process ends.
    summary.exit = StandardOutput.exit(behind: exit)
    do throws(RunExit) {
      try summaryFile?.write([voice.redactor.redacted(summary.json)])
    } catch {
      if exit == .done { exit = error }
    }
    return exit
  }

  /// A replay already has the answers: its script gets no rights.
  private func enterCage(_ permissions: Permissions) throws -> CageNet {
    var cage = ScriptCage(
      replay == nil ? permissions : .standard(scriptFolder: script.folder), scriptFolder: script.folder)
    cage.asks = settings.asks && replay == nil
    if let place { cage.write(place) }
    cage.opened(summaryFile)
    cage.opened(watch?.report)
    try watch?.begin(telling: voice)
    if replay == nil { for path in script.loadDrivers(Array(parameters.values)) { cage.read(path) } }
    return try cage.enter(telling: voice)
  }

  /// Runs in real time with the real world; returns when it is over.
  private func runLive(
    _ workflow: Workflow, _ options: WorkflowOptions, _ permissions: Permissions, _ net: CageNet,
    _ output: (sink: any Sink, target: any DeliveryTarget)
  ) -> Instant {
    let world = World(
      permissions: permissions, target: output.target, userAgent: "lookahead/\(Release.version)",
      account: workflow.account)
    let loop = LiveLoop(world: world, catchesSignals: true)
    world.asking = Asker.current.map { asker in
      let asking = Asking(asker, until: hurried, way: net.way)
      asking.place = { workflow.place(of: $0) }
      asking.willAsk = { [progress] in progress.clear() }
      return asking
    }
    if options.copies > 0 {
      loop.copies = copies.make(options.copies, of: workflow, text: script.text, options, in: loop.mailbox) {
        [unowned self] in hear($0)
      }
    }
    self.loop = loop
    loop.onSignal = SignalAction(on: Interruption(workflow: workflow, hurried: hurried)) { context, _ in
      Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().begin()
    }
    loop.onTurn = { [progress, watch] now in
      let shown = progress.show(workflow.statistics, total: workflow.total, at: now)
      return [shown, watch?.pass(to: now)].compactMap { $0 }.min()
    }
    loop.run(work?.program(workflow, loop, output.sink) ?? watched(recorded(workflow, options), workflow))
    defer { world.finish() }
    return loop.now
  }

  /// The program of the workflow, which is watched where that was asked for.
  private func watched(_ program: any Program, _ workflow: Workflow) -> any Program {
    watch?.watching(program, of: workflow) ?? program
  }

  /// The workflow, which is recorded where that was asked for.
  private func recorded(_ workflow: Workflow, _ options: WorkflowOptions) -> any Program {
    guard let recorder else { return workflow }
    return recorder.recording(workflow, mask: mask) { [unowned self] in
      hideSecrets()
      return RecordingHeader(
        script, options, declarations().parameters, hidden: given.secrets)
    }
  }

  private func options(_ sink: any Sink) -> WorkflowOptions {
    var options = script.options
    options.budget = settings.limits.budget
    options.maxBody = settings.limits.maxBody?.bytes ?? options.maxBody
    options.limit = settings.limit
    options.maxPages = settings.limits.maxPages
    options.parameters = parameters
    options.areParametersRecorded = replay != nil
    options.secretNames = given.secretNames
    options.environmentNames = given.environmentNames
    options.sources = settings.sources
    options.remembers = replay?.remembers ?? place?.remembers ?? false
    options.since = settings.since.map(RunSettings.json)
    options.until = settings.until.map(RunSettings.json)
    options.endsEarly = script.isGenerated && (settings.limit != nil || settings.limits.maxPages != nil)
    options.refresh = settings.isFirstLook ? nil : settings.refresh
    options.refresh?.write = settings.state.writeMode
    options.wantsChanges = settings.output.changes && !settings.isFirstLook
    options.overrides = settings.requests.overrides(sharedBy: settings.shard?.count ?? 1)
    options.overrides.usualWidth = .automatic
    options.overrides.spilling = spills.map { Spilling(into: $0) }
    if let replay { options.overrides = replay.overrides(options.overrides) }
    options.takes = settings.takes
    options.needsSources = settings.needsSources
    options.overrides.notesEveryDecision = trace != nil
    options.isDryRun = settings.isDryRun
    options.seed = replay?.beginning.seed ?? UInt64.random(in: 0..<UInt64(Int64.max))
    options.startedAt = replay?.beginning.startedAt ?? Double(time(nil))
    options.lab = ReportingLab()
    options.addCodecs()
    options.observe = { [unowned self] in hear($0) }
    let isSaid = settings.state.writeMode != nil
    options.refuseStreams = { [place] in
      place?.configuration.refusal(ofStreams: $0, areAdded: $1 && !isSaid)
    }
    let areAllRead = settings.readsAll
    options.tellStreams = { [place] in place?.declare(streams: $0, areAllRead: areAllRead) }
    options.declareTypes = { [place] in place?.declare($1, of: $0) }
    options.firstReadingsTaken = { sink.publish() }
    options.copies = settings.copies
    options.failureElsewhere = { [copies] in copies.failure }
    options.tallyElsewhere = { [copies] in copies.tallies }
    work?.complete(&options)
    trace?.start(script: script.path, seed: options.seed)
    return options
  }

  private func hear(_ observation: Observation) {
    hideSecrets()
    progress.hear(observation)
    voice.say(observation)
    watch?.hear(observation)
    work?.hear(observation)
    trace?.write(observation)
  }

  /// Parameters that the script itself calls secret.
  private func hideSecrets() {
    let declared = declarations().parameters
    guard declared.count > knownParameters else { return }
    for parameter in declared[knownParameters...] where parameter.isSecret {
      voice.redactor.add(parameters[parameter.name] ?? parameter.defaultText)
      parameters[parameter.name].map { mask.add($0) } ?? mask.learn(parameter.defaultText)
    }
    knownParameters = declared.count
  }

  /// Shows the totals, if any: not for a run that never began, nor if the reader has gone.
  private func show(_ summary: Summary, _ report: SinkReport) {
    let isWorthIt = summary.exit == .done || summary.hasBegun
    let isRun =
      !settings.isDryRun && !settings.printsToOutput && settings.lister == nil && settings.work == nil
    if isWorthIt && isRun && !report.isClosedPipe { voice.summary(summary) }
  }
}

/// The effect of a signal on a run.
final class Interruption {
  private let workflow: Workflow
  private let hurried: StopFlag

  /// The flag is set by the first signal.
  init(workflow: Workflow, hurried: StopFlag) {
    self.workflow = workflow
    self.hurried = hurried
  }

  func begin() {
    workflow.stopScript()
    hurried.set()
  }
}
