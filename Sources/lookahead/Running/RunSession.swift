import Glibc
import Hosting
import Lua
import Paging
import Scripting

/// One run: a script's workflow, the world, the sink and what is shown, brought together and taken apart.
final class RunSession {
  private let script: ScriptFile
  private let settings: RunSettings
  private let voice: Voice

  init(_ script: ScriptFile, _ settings: RunSettings) {
    self.script = script
    self.settings = settings
    voice = Voice(settings.report, secrets: settings.parameters.secrets)
  }

  /// Runs to the end; everything has been said when it returns.
  func run() throws -> RunExit {
    let trace = try settings.report.trace.map { path throws(RunExit) in try TraceWriter(path) }
    let workflow = try Workflow(text: script.text, options: try options(trace))
    let sink: any Sink
    do throws(HostFailure) {
      sink = try settings.makeSink(stream: script.streamName)
    } catch {
      voice.error("error: \(error.message)")
      return .output
    }
    let permissions = try settings.permissions.permissions(scriptFolder: script.folder)
    let world = World(
      permissions: settings.granting(permissions), target: sink, userAgent: "lookahead/\(Lookahead.version)")
    let loop = LiveLoop(world: world, catchesSignals: true)
    let progress = ProgressLine(settings.report)
    voice.clear = { progress.clear() }
    loop.onTurn = { now in progress.show(workflow.statistics, at: now) }
    loop.run(workflow)
    let elapsed = loop.now
    progress.clear()
    let report = sink.finish()
    world.finish()
    trace?.finish()
    return end(workflow, report, elapsed)
  }

  private func options(_ trace: TraceWriter?) throws -> WorkflowOptions {
    var options = WorkflowOptions(scriptName: script.path, scriptFolder: script.folder)
    options.budget = settings.limits.budget
    options.maxBody = settings.limits.maxBody?.bytes ?? options.maxBody
    options.limit = settings.limit
    options.maxPages = settings.limits.maxPages
    options.parameters = try settings.parameters.values()
    options.sources = settings.sources
    options.overrides = settings.requests.overrides
    options.isDryRun = settings.isDryRun
    options.seed = UInt64.random(in: 0..<UInt64(Int64.max))
    options.startedAt = Double(time(nil))
    options.loadModule = { [script] in script.module($0) }
    options.sha256 = { sha256(key: $0, data: $1) }
    trace?.start(script: script.path, seed: options.seed)
    options.observe = { [voice] observation in
      voice.say(observation)
      trace?.write(observation)
    }
    return options
  }

  private func end(_ workflow: Workflow, _ report: SinkReport, _ elapsed: Instant) -> RunExit {
    var exit = RunExit.done
    if report.isClosedPipe {
      exit = .done
    } else if let failure = report.failure {
      voice.error("error: \(failure.message)")
      exit = .output
    } else if let failure = workflow.failure, !(settings.isDryRun && failure.code == "cancelled") {
      voice.error(Wording.text(failure))
      exit = RunExit(failure)
    }
    let summary = Summary(workflow.statistics, report, elapsed: elapsed, exit: exit)
    if !settings.isDryRun { voice.summary(summary) }
    if let path = settings.report.summary { summary.write(to: path, voice) }
    return exit
  }
}

extension ScriptFile {
  /// What the stream is called that has no name: the script's file without its ending.
  var streamName: String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
  }
}
