import Lua
import Paging
import Scripting

/// Loads a script without running it: what it declares, or what is wrong.
struct ScriptCheck {
  /// The result of loading.
  struct Outcome {
    let declarations: Declarations
    /// Why the script did not reach its end, or its first waiting call.
    let failure: LuaError?
    /// The names scripts can see, including those this one added.
    let names: NameTree
    /// The modules it loaded, in order.
    let modules: [(text: String, name: String)]
  }

  private let file: ScriptFile

  init(_ file: ScriptFile) { self.file = file }

  /// What the script declares; an error has been shown when it throws.
  func declarations() throws -> Declarations {
    let outcome = try outcome()
    if let failure = outcome.failure {
      standardError(Wording(failure, of: file).text)
      throw RunExit(failure)
    }
    return outcome.declarations
  }

  /// Loads it.
  func outcome() throws -> Outcome {
    var modules: [(text: String, name: String)] = []
    var options = file.options
    options.isCheck = true
    // Running an experiment waits, so that a check ends there.
    options.lab = ReportingLab()
    options.loadModule = { [file] name in
      let module = file.module(name)
      if let module { modules.append(module) }
      return module
    }
    let workflow = try Workflow(text: file.text, options: options)
    drive(workflow)
    let failure = workflow.failure.flatMap { $0.kind == .stopped(.interrupted) ? nil : $0 }
    return Outcome(
      declarations: workflow.declarations, failure: failure, names: workflow.names, modules: modules)
  }

  /// A check makes no calls, so a single event suffices; what still waits is abandoned.
  private func drive(_ workflow: Workflow) {
    for event in [ProgramEvent.started, .interrupted] {
      let effects = workflow.handle(event, at: .zero)
      let isFinished = effects.contains { if case .finished = $0 { true } else { false } }
      if isFinished { return }
    }
  }
}
