import Items
import Lua
import Paging
import Scripting
import Simulation

/// A script run in virtual time against a simulated world, and all that came of it.
final class ScriptRun {
  let world: ScriptWorld
  let workflow: Workflow
  private let loop: VirtualLoop
  private let program: TracedProgram
  private let said = Said()

  /// Runs the script, called `feed.lua`, until it is over or nothing is left that could happen; somebody may interrupt it
  /// after so many seconds.
  init(
    _ script: String, in world: ScriptWorld = ScriptWorld(), interruptedAt: Double? = nil,
    _ set: (inout WorkflowOptions) -> Void = { _ in }
  ) throws {
    var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/scripts")
    options.observe = { [said] in said.take($0) }
    options.xml = { _ throws(TextFault) in Bytes(#"["a",{},"",[]]"#) }
    // Much more than any takes, on a machine that is slow and busy.
    options.budget.burst = .seconds(120)
    set(&options)
    self.world = world
    workflow = try Workflow(text: script, options: options)
    program = TracedProgram(workflow)
    loop = VirtualLoop { call, now in world.answer(call, at: now) }
    if let interruptedAt { loop.interrupt(at: .zero + .seconds(interruptedAt)) }
    loop.run(program)
  }

  /// Interrupts a run that waits for what never comes.
  func interrupt() {
    loop.send(.interrupted, to: program)
    loop.resume(program)
  }

  /// Items as text, in the order of delivery.
  func items() -> [String] { items { _ in true } }

  /// Those of one stream; nil is that of the script itself.
  func items(_ stream: String?) -> [String] { items { $0 == stream } }

  private func items(_ isWanted: (String?) -> Bool) -> [String] {
    world.deliveries.filter { isWanted($0.delivery.stream) }.flatMap { $0.delivery.items.map(\.bytes.string) }
  }

  var isFinished: Bool { loop.isFinished }
  /// The virtual seconds that it took.
  var seconds: Double { loop.now.seconds }
  /// The message of the error that ended it.
  var failure: String? { workflow.failure?.message }
  /// What was printed, and the error last.
  var outcome: [String] { printed + [failure].compactMap { $0 } }
  /// Its code.
  var code: String? { workflow.failure?.code }
  var statistics: Statistics { workflow.statistics }
  /// What the script printed, a line each.
  var printed: [String] { said.printed }
  /// The log: `level: message key=value …`.
  var logged: [String] { said.logged }
  /// What the machine of the sources had to say.
  var notes: [Note] { said.notes }
  /// What retries and limits of HTTP had to say.
  var gateNotes: [GateNote] { said.gateNotes }
  /// Events and effects as lines.
  var trace: [String] { program.lines }
}

/// Collects what a run has to say while it goes on.
private final class Said {
  var printed: [String] = []
  var logged: [String] = []
  var notes: [Note] = []
  var gateNotes: [GateNote] = []

  func take(_ observation: Observation) {
    switch observation {
    case .printed(let text): printed.append(text)
    case .logged(let level, let message, let fields):
      logged.append(fields.reduce("\(level): \(message)") { "\($0) \($1.0)=\($1.1)" })
    case .noted(_, let note, _): notes.append(note)
    case .fetching: break
    case .gateNoted(let note, _): gateNotes.append(note)
    case .wouldSend(.http(let request)): printed.append("would send \(request.method) \(request.url)")
    case .wouldSend(let call): printed.append("would ask for \(call)")
    }
  }
}

/// The message of the error that a script ends with.
func failure(of script: String) throws -> String? { try ScriptRun(script).failure }

/// What a script prints; its error comes last.
func printed(by script: String) throws -> [String] {
  try ScriptRun(script).outcome
}
