import Items
import Lua
import Paging
import Scripting
import Simulation

/// A prompt in virtual time, and what it has to say.
final class PromptRig {
  let workflow: Workflow
  let world: ScriptWorld
  private let loop: VirtualLoop
  private let said = SaidAtPrompt()
  private var number = 0

  /// Loads the script, called `feed.lua`.
  init(
    _ script: String = "", in world: ScriptWorld = ScriptWorld(), memory: Int = 1 << 30,
    burst: Duration = .seconds(10),
    _ set: (inout WorkflowOptions) -> Void = { _ in }
  ) throws {
    var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/scripts")
    options.budget.memory = memory
    options.budget.burst = burst
    var prompt = PromptOptions()
    prompt.failed = { [said] in said.failures.append($0.message) }
    prompt.emitted = { [said] json, stream in said.emitted.append((stream.map { $0 + " " } ?? "") + json) }
    prompt.completesText = { text in ["data.csv", "data.json"].filter { $0.hasPrefix(text) } }
    options.prompt = prompt
    options.observe = { [said] in
      guard case .printed(let text) = $0 else { return }
      said.printed.append(text)
      said.onPrint(text)
    }
    set(&options)
    self.world = world
    workflow = try Workflow(text: script, options: options)
    loop = VirtualLoop { call, now in world.answer(call, at: now) }
    loop.run(workflow)
  }

  /// Evaluates a line, called `prompt:N`, until nothing is left that could happen.
  @discardableResult func enter(_ text: String) -> Evaluation? {
    let ended = begin(text)
    loop.resume(workflow)
    return ended()
  }

  /// Begins a line and leaves it where it waits; gives what became of it.
  func begin(_ text: String) -> () -> Evaluation? {
    number += 1
    let box = EvaluationBox()
    workflow.evaluate(text, name: "prompt:\(number)", number: number) { box.evaluation = $0 }
    loop.send(.woke, to: workflow)
    return { box.evaluation }
  }

  /// Loads another text of the script.
  @discardableResult func reload(_ text: String) -> Evaluation? {
    let box = EvaluationBox()
    workflow.runAgain(text: text) { box.evaluation = $0 }
    loop.send(.woke, to: workflow)
    loop.resume(workflow)
    return box.evaluation
  }

  func resume() { loop.resume(workflow) }
  func tell(_ event: ProgramEvent) { loop.send(event, to: workflow) }

  /// The values of a line on one line each, or its error.
  func shown(_ text: String) -> [String] {
    guard let evaluation = enter(text) else { return ["nothing came of it"] }
    if let failure = evaluation.failure { return [failure.message] }
    return evaluation.values.map { workflow.text(of: $0) }
  }

  /// The first value of a line as a person sees it, or its error.
  func text(_ text: String, _ set: (inout PrintStyle) -> Void = { _ in }) -> String {
    var style = PrintStyle()
    set(&style)
    guard let evaluation = enter(text) else { return "nothing came of it" }
    if let failure = evaluation.failure { return failure.message }
    return evaluation.values.first.map { workflow.text(of: $0, style: style) } ?? ""
  }

  /// What may stand at the cursor, which is at the mark `|` or the end.
  func completions(_ text: String) -> [String] { completion(text).candidates.map(\.text) }

  func completion(_ text: String) -> PromptCompletions {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    return workflow.completions(of: parts.joined(), at: parts[0].utf8.count)
  }

  var isFinished: Bool { loop.isFinished }
  var seconds: Double { loop.now.seconds }
  var printed: [String] { said.printed }
  /// Told what scripts print, when they print it.
  var onPrint: (String) -> Void {
    get { said.onPrint }
    set { said.onPrint = newValue }
  }
  var emitted: [String] { said.emitted }
  /// Errors that belong to no line.
  var failures: [String] { said.failures }
}

private final class SaidAtPrompt {
  var printed: [String] = []
  var onPrint: (String) -> Void = { _ in }
  var emitted: [String] = []
  var failures: [String] = []
}

private final class EvaluationBox {
  var evaluation: Evaluation?
}
