import Glibc
import Hosting
import Lua
import Paging
import Scripting
import Serving
import Terminal

/// A prompt from start to end: sets up and tears down the workflow, the world, the terminal and the loop.
final class ReplSession {
  private let script: ScriptFile?
  private let settings: ReplSettings
  private let given: GivenParameters
  private var parameters: [String: String] { given.values }
  private let voice: Voice
  private let mask: SecretMask
  private let watch: RunWatch?
  private var session: PromptSession?
  private var declarations: () -> Declarations = { Declarations() }

  init(_ script: ScriptFile?, _ settings: ReplSettings) throws {
    self.script = script
    self.settings = settings
    given = try GivenParameters(settings.parameters)
    voice = Voice(settings.log, secrets: given.secrets)
    mask = SecretMask(given.secrets)
    watch = try RunWatch(
      of: script?.path ?? "a prompt",
      RunWatch.Wishes(listen: settings.listen, remark: "a person at a prompt"), mask)
  }

  /// Reads lines until there are no more; everything has been reported on return.
  func run() throws -> RunExit {
    let file = PromptPaths.history.map { HistoryFile($0) }
    if isatty(STDIN_FILENO) == 1 { file?.makeFolders() }
    try watch?.begin(telling: voice)
    try ScriptCage(promptEditor: isatty(STDIN_FILENO) == 1 ? EditCommand.editor : nil).enter(telling: voice)
    defer { ScriptCage.leave() }
    let workflow = try Workflow(text: script?.text ?? "", options: options)
    declarations = { [unowned workflow] in workflow.declarations }
    let folder = script?.folder ?? ScriptFile(text: "", path: "prompt", folder: ".").folder
    let permissions = try settings.permissions.permissions(scriptFolder: folder)
    let world = World(
      permissions: permissions, target: EmptySink(), userAgent: "lookahead/\(Release.version)",
      account: workflow.account)
    let console = console(file)
    let session = PromptSession(
      workflow, world: world, voice: voice, console: console, script: script,
      settings: promptSettings(console))
    self.session = session
    session.history = console is TerminalConsole ? file : nil
    (console as? TerminalConsole).map { guide($0.editor, session) }
    live(session, world)
    console.close()
    world.finish()
    session.trace?.finish()
    return exit(session)
  }

  private func live(_ session: PromptSession, _ world: World) {
    let loop = LiveLoop(world: world, catching: session.console.isLive ? .toGoOn : .toEnd)
    loop.onSignal = SignalAction(on: session.workflow) {
      context, isEnd in
      Unmanaged<Workflow>.fromOpaque(context).takeUnretainedValue().stopScript()
      if isEnd { LineEditor.restore() }
    }
    session.clock = { [unowned loop] in loop.now }
    if session.console.isLive && !settings.isQuiet { session.say(banner(world.permissions)) }
    runInitFile(session)
    session.isAskedToEnd = { [unowned loop] in loop.isAskedToEnd }
    let program = PromptProgram(session) { [unowned loop] in loop.input = $0 }
    loop.onTurn = { [watch] in watch?.pass(to: $0) }
    loop.run(watch?.watching(program, of: session.workflow) ?? program)
    loop.input = nil
    _ = watch?.finish(exit(session), "", at: loop.now)
  }

  /// A line editor where there is a terminal that can have one.
  private func console(_ file: HistoryFile?) -> any PromptConsole {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, !isDumb,
      let editor = try? LineEditor(history: file?.read() ?? LineHistory(), hasColors: hasColors)
    else { return PlainConsole() }
    let console = TerminalConsole(editor)
    voice.clear = { [unowned editor] in editor.clear() }
    return console
  }

  private var isDumb: Bool { PromptPaths.variable("TERM").map { $0 == "dumb" } ?? true }

  private var hasColors: Bool { PromptPaths.variable("NO_COLOR") == nil && !isDumb }

  private func promptSettings(_ console: any PromptConsole) -> PromptSettings {
    var prompt = PromptSettings()
    prompt.style.isColored = hasColors && console is TerminalConsole
    prompt.stopsOnError = settings.stopsOnError
    return prompt
  }

  private func guide(_ editor: LineEditor, _ session: PromptSession) {
    editor.guidance.judge = { [unowned session] text in
      let isCommand = InputSplitter.isCommand(text)
      let isComplete = isCommand || session.workflow.completeness(of: text) != .incomplete
      return LineVerdict(text, isComplete: isComplete)
    }
    editor.guidance.complete = { [unowned session] text, offset in
      PromptCompleter(session: session).completions(text, at: offset)
    }
    editor.guidance.highlight = { LuaHighlighting.spans(of: $0) }
  }

  private func banner(_ permissions: Permissions) -> String {
    let what = script.map { " · \($0.path)" } ?? ""
    return "Lookahead \(Release.version)\(what) · :? lists the commands, Ctrl-D leaves\n"
      + PermissionWords(permissions).line
  }

  /// The user's init file, run in the prompt's environment.
  private func runInitFile(_ session: PromptSession) {
    guard !settings.skipsInit, let path = PromptPaths.initFile, access(path, F_OK) == 0 else { return }
    do throws(TextFileError) {
      let text = try TextFile.read(path)
      session.evaluate(text, name: path) { [unowned session] evaluation in
        if let failure = evaluation.failure { session.show(failure, of: nil) }
      }
    } catch {
      session.show(PromptFault("\(path): \(error.reason)"))
    }
  }

  private var options: WorkflowOptions {
    var options = (script ?? ScriptFile(text: "", path: "prompt", folder: currentFolder)).options
    options.budget = settings.limits.budget
    options.maxBody = settings.limits.maxBody?.bytes ?? options.maxBody
    options.parameters = parameters
    options.secretNames = given.secretNames
    options.overrides = settings.requests.overrides
    options.seed = settings.seed ?? UInt64.random(in: 0..<UInt64(Int64.max))
    options.startedAt = Double(time(nil))
    options.lab = ReportingLab()
    options.addCodecs()
    options.stuck = sayStuck
    options.observe = { [unowned self] in hear($0) }
    var prompt = PromptOptions()
    prompt.failed = { [unowned self] in session?.show($0, of: nil) }
    prompt.emitted = { [unowned self] json, stream in session?.say(stream.map { "\($0): \(json)" } ?? json) }
    prompt.keepsInterruptions = isatty(STDIN_FILENO) != 1
    prompt.completesText = { FileNames.completing($0) }
    options.prompt = prompt
    return options
  }

  private var currentFolder: String {
    guard let path = realpath(".", nil) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  private func hear(_ observation: Observation) {
    hideSecrets()
    watch?.hear(observation)
    session?.hear(observation)
  }

  /// Masks parameters that the script declares secret.
  private func hideSecrets() {
    for parameter in declarations().parameters where parameter.isSecret {
      voice.redactor.add(parameters[parameter.name] ?? parameter.defaultText)
      parameters[parameter.name].map { mask.add($0) } ?? mask.learn(parameter.defaultText)
    }
  }

  private func exit(_ session: PromptSession) -> RunExit {
    if session.isInterrupted { return .interrupted }
    return session.hasFailed && !session.console.isLive ? .failed : .done
  }
}

/// The line was stopped but does not respond; called on another thread.
private let sayStuck: @convention(c) () -> Void = {
  standardError(
    "\r\nthe line is stopped, but for 5 s has been in one long call of Lua's library\r\n"
      + "  wait for it, or Ctrl-\\ ends the program")
}

/// All that the command line says about a prompt.
struct ReplSettings {
  var parameters: ParameterOptions
  var limits: BrowseLimitOptions
  var requests: RequestOptions
  var permissions: PermissionOptions
  var log: LogOptions
  var seed: UInt64?
  /// In a pipe the first failure ends it.
  var stopsOnError: Bool
  var skipsInit: Bool
  /// No banner.
  var isQuiet: Bool
  /// Where its page is served.
  var listen: ListenAddress?
}
