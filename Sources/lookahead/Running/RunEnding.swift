import Hosting
import Lua
import Paging
import Scripting
import Text

/// How a run ended: the consequences for its output, the user and the exit code.
struct RunEnding {
  private let workflow: Workflow
  private let script: ScriptFile
  private let settings: RunSettings
  private let remembers: Bool
  /// Why ids of items that came before were lost, if they were.
  var forgotten: String?
  /// Whether an order made no sense, so that those behind it were not heard.
  var wasMisled = false

  /// The ending of a workflow that is over.
  init(_ workflow: Workflow, of script: ScriptFile, _ settings: RunSettings, remembers: Bool) {
    self.workflow = workflow
    self.script = script
    self.settings = settings
    self.remembers = remembers
  }

  /// Sources that were declared but never read.
  private var forgottenSource: String? {
    settings.isDryRun || settings.printsToOutput || settings.needsSources || settings.work != nil
      ? nil : workflow.forgottenSource
  }

  /// Whether the output may replace an older one.
  var ofSink: SinkEnding {
    let isRight =
      workflow.failure == nil && workflow.coverage.missing == 0 && forgottenSource == nil
      && forgotten == nil && !wasMisled
    if let failure = workflow.failure, [.interrupted, .passing].contains(RunExit(failure)) { return .paused }
    return isRight ? .whole : .cut
  }

  /// Reports what went wrong, if anything.
  func say(_ report: SinkReport, to voice: Voice) -> RunExit {
    if report.isClosedPipe { return .done }
    for sentence in report.changes.sentences {
      sentence.isWarning ? voice.warn(sentence.text) : voice.info(sentence.text)
    }
    if let log = report.remains.log {
      voice.warn(
        "the disk refuses to have all rows in \(HarmlessText.line(settings.output.output)): the others are in "
          + "\(log), until the next run or reader moves them")
    }
    let remains = Remains(report.remains, of: settings.output.output)
    if let failure = report.failure {
      voice.error("error: \(failure.message)\(remains.text)\(Mending(report, remembers: remembers).text)")
      return failure.isTransient ? .passing : .output
    }
    let interruption = report.isGivenUp ? LuaError(.stopped(.interrupted), "interrupted") : nil
    if let failure = workflow.failure ?? interruption, !(settings.isDryRun && failure.code == "cancelled") {
      voice.error(Wording(failure, of: script, remains).text)
      return RunExit(failure)
    }
    voice.say(workflow.coverage, remains)
    if workflow.coverage.missing > 0 { return .failed }
    if let forgotten {
      voice.error(
        "error: ids of items that came before can't be read back from the disk: \(forgotten)\(remains.text)\n"
          + "  items that came again since may have been written twice; run it again with --fresh")
      return .failed
    }
    if let forgottenSource {
      voice.error(
        "error: \(script.path) declares \(forgottenSource) and returns none, so nothing was read: "
          + "end it with `return`")
      return .script
    }
    if script.isEmpty {
      voice.warn("the script is empty: `lookahead new source NAME` writes one to start from")
    }
    return .done
  }
}

extension Workflow {
  /// The declared sources, if none was read in any way and nothing was written; nil if all is well.
  var forgottenSource: String? {
    !hasReadings && statistics.items == 0 && statistics.pages == 0 && statistics.requests == 0
      ? declarations.forgottenName : nil
  }
}

extension Declarations {
  /// The sources, as an error calls them that nobody returned; nil where there are none.
  var forgottenName: String? {
    sources.first.map { sources.count == 1 ? "the source '\($0.name)'" : "sources" }
  }
}
