import Glibc
import Hosting
import Lua
import Paging
import Scripting
import Text

/// The work of a run that reads the partitions which come on standard input.
final class WorkSession {
  /// What the command line says of it.
  struct Settings {
    /// Partitions that are read at once.
    var atOnce = 8
    /// Whether an engine grants permits.
    var hasGate = false
    /// The run that it works for, by name; nil is the one that is open.
    var run: String?
  }

  let events = WorkEvents()
  /// Whether an order made no sense.
  var wasMisled: Bool { program?.wasMisled ?? false }
  private let settings: Settings
  private let voice: Voice
  private var program: WorkProgram?

  init(_ settings: Settings, _ voice: Voice) {
    self.settings = settings
    self.voice = voice
  }

  /// What a workflow has to know that works.
  func complete(_ options: inout WorkflowOptions) {
    options.needsSources = true
    options.asksPermits = settings.hasGate
    options.takes = { [unowned self] in program?.takes($0) ?? false }
    options.partitionFailed = { [unowned self] in program?.note($1, of: $0) }
  }

  /// The workflow with its orders from standard input, for a loop.
  func program(_ workflow: Workflow, _ loop: LiveLoop, _ sink: any Sink) -> any Program {
    var surroundings = WorkProgram.Surroundings()
    (surroundings.atOnce, surroundings.hasGate) = (settings.atOnce, settings.hasGate)
    surroundings.leave = { sink.leave(partition: $0) }
    surroundings.listen = { [unowned loop] in loop.input = $0 ? STDIN_FILENO : nil }
    surroundings.say = { [voice] in voice.error($0) }
    surroundings.advice = { "  just it again: \(Self.command(again: $0))" }
    let program = WorkProgram(workflow, events, surroundings)
    self.program = program
    return program
  }

  /// What the machine has to say may be for the engine too.
  func hear(_ observation: Observation) {
    if case .gateNoted(.closed(let host, let until), let now) = observation {
      program?.limited(host, for: until - now)
    }
  }

  /// Tells that it is over; how the process ends if all else went well.
  func end(_ workflow: Workflow, elapsed: Instant, exit: RunExit) -> RunExit {
    events.end(workflow.statistics, seconds: elapsed.seconds)
    let counts = events.counts
    if counts.done > 0, counts.done == counts.doneBefore {
      voice.warn(
        "nothing was read: all partitions were read before in this run, which goes on until another begins "
          + "(in a folder after lookahead collect, in a database with another --run NAME)")
    }
    guard exit == .done || exit == .failed && workflow.failure == nil else { return exit }
    if wasMisled { return .usage }
    if counts.failed > counts.passing { return .failed }
    return counts.failed > 0 ? .passing : exit
  }

  /// The command of a shell that reads a partition once more.
  private static func command(again ordered: WorkPartition) -> String {
    let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--gate" }
    return (["echo", ordered.line, "|", "lookahead"] + arguments).map {
      $0 == "|" ? $0 : quoted($0)
    }.joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") || $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z")
        || $0 >= UInt8(ascii: "-") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: "=")
        || $0 == UInt8(ascii: "_")
    }
    return isPlain && !text.isEmpty ? text : "'\(text.escaping("'", as: "'\\''"))'"
  }
}
