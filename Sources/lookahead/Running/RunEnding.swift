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
    let isRight = workflow.failure == nil && workflow.coverage.missing == 0 && forgottenSource == nil
    if let failure = workflow.failure, [.interrupted, .passing].contains(RunExit(failure)) { return .paused }
    return isRight ? .whole : .cut
  }

  /// Reports what went wrong, if anything.
  func say(_ report: SinkReport, to voice: Voice) -> RunExit {
    if report.isClosedPipe { return .done }
    say(report.changes, to: voice)
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

extension RunEnding {
  /// A reading with which nobody goes on.
  private func words(for left: LeftReading) -> String {
    let name = HarmlessText.line(left.stream + left.partition)
    let reason =
      left.isSourceGone
      ? "the script returns no source of that name any more"
      : "that part is no longer among those that are read"
    return "the reading of \(name) was left unfinished at page \(Amount.count(left.page)): \(reason); its "
      + "\(Amount.count(left.items)) \(left.items == 1 ? "item stays" : "items stay")"
  }

  /// What the source no longer has.
  private func say(_ changes: SinkChanges, to voice: Voice) {
    for left in changes.left.prefix(10) { voice.warn(words(for: left)) }
    if changes.left.count > 10 {
      voice.warn("\(Amount.count(changes.left.count - 10)) other readings were left unfinished too")
    }
    let names = changes.streams.keys.sorted()
    for name in names {
      guard let stream = changes.streams[name] else { continue }
      let place = names.count > 1 ? " (\(HarmlessText.line(name)))" : ""
      if stream.gone > 0 {
        voice.info(
          "\(Amount.count(stream.gone)) \(stream.gone == 1 ? "row is" : "rows are") no longer at the source and "
            + "\(stream.gone == 1 ? "stays" : "stay") (--write mirror removes \(stream.gone == 1 ? "it" : "them"))\(place)"
        )
      }
      if stream.removed > 0 {
        voice.info(
          "\(Amount.count(stream.removed)) \(stream.removed == 1 ? "row" : "rows") removed that the source no longer has"
            + place)
      }
      if stream.kept > 0 {
        voice.warn(
          "\(Amount.count(stream.kept)) \(stream.kept == 1 ? "item" : "items")\(place) that the source says "
            + "\(stream.kept == 1 ? "is" : "are") gone: a text keeps their lines, and a database (-o items.db) would not")
      }
      if stream.moved > 0 {
        let isOne = stream.moved == 1
        voice.warn(
          "\(Amount.count(stream.moved)) \(isOne ? "row" : "rows")\(place) that one part of the source had brought "
            + "\(isOne ? "was" : "were") brought by another one, which \(isOne ? "it belongs" : "they belong") to now: where these "
            + "are other items, ids are unique within a part only, and an id of two members keeps them apart "
            + "(id = { \"repo\", \"number\" }, from the parameter and the item)")
      }
      if stream.keptAll {
        voice.info(
          "the source brought nothing, so nothing was removed (--write mirror removes what is there)\(place)")
      }
    }
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
