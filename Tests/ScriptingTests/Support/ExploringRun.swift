import Items
import Lua
import Paging
import Scripting
import Simulation

/// A source of a script explored at a prompt in virtual time, against a simulated world.
final class ExploringRun {
  let workflow: Workflow
  let world: ScriptWorld
  private let loop: VirtualLoop
  /// Errors that the session was told.
  private(set) var errors: [String] = []
  var source: ExploredSource!
  var exploration: Exploration!
  /// Requests that the handlers were asked.
  private(set) var asked = 0

  /// Loads the script for a prompt, and opens the source of that name. A script that prints "stop me" is stopped, as by a
  /// person.
  init(
    _ script: String, open name: String? = "numbers", screen: Int = 10, in world: ScriptWorld = ScriptWorld()
  )
    throws
  {
    self.world = world
    var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/scripts")
    let said = Said()
    var prompt = PromptOptions()
    prompt.failed = { said.errors.append($0.message) }
    options.prompt = prompt
    options.observe = { if case .printed("stop me") = $0 { said.workflow?.stopScript() } }
    workflow = try Workflow(text: script, options: options)
    said.workflow = workflow
    loop = VirtualLoop { call, now in world.answer(call, at: now) }
    loop.run(workflow)
    errors = said.errors
    if let name { try open(name) }
  }

  private final class Said {
    var errors: [String] = []
    weak var workflow: Workflow?
  }

  /// Opens the source of that name for a new exploration.
  func open(_ name: String, screen: Int = 10) throws {
    guard let value = workflow.promptSources.first(where: { $0.name == name })?.value else {
      throw LabFailure(message: "no source \(name): \(errors)")
    }
    source = try workflow.exploring.source(value, insteadOf: source)
    exploration = try Exploration(
      configuration: source.configuration, policy: workflow.exploring.policy(of: source), screen: screen)
  }

  /// Lets happen what is to come, with the script's own handlers; the error is that of handlers that were stopped.
  @discardableResult
  func run(_ goal: ExplorationGoal = ExplorationGoal()) -> LuaError? {
    var goal = goal
    while case .needs(let requests) = exploration.run(&goal) {
      var error: LuaError?
      var isOver = false
      workflow.exploring.ask(requests, of: source) { [unowned self] request, answer in
        asked += 1
        exploration.supply(answer, for: request)
      } ended: {
        error = $0
        isOver = true
      }
      loop.send(.woke, to: workflow)
      loop.resume(workflow)
      if let error { return error }
      if !isOver { return LuaError(.runtime, "never answered") }
    }
    return nil
  }

  /// Evaluates a line, and says what went wrong with it.
  @discardableResult
  func line(_ text: String) -> String? {
    var failure: String?
    workflow.evaluate(text, name: "prompt") { failure = $0.failure?.message }
    loop.send(.woke, to: workflow)
    loop.resume(workflow)
    return failure
  }

  /// Has another policy decide, which a variable of the session holds.
  func exchange(_ variable: String) throws -> Bool {
    guard let value = workflow.value(at: variable),
      let policy = try workflow.exploring.policy(value, name: variable)
    else { return false }
    exploration.exchange(policy)
    return true
  }

  /// Tells the workflow that a person wants to stop.
  func interrupt() { loop.send(.interrupted, to: workflow) }

  /// What is held.
  var held: [String] { exploration.feed.items.items().map(\.bytes.string) }
  /// The whole history, up to now.
  var past: [String] {
    exploration.moments[...exploration.position].map { "\($0.at.nanoseconds) \($0.cause) \($0.turns)" }
  }
}
