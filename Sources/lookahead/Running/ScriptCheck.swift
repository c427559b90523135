import Lua
import Paging
import Scripting

/// Loads a script without running it: what it declares, or what is wrong.
struct ScriptCheck {
  private let file: ScriptFile

  init(_ file: ScriptFile) { self.file = file }

  /// What the script declares; an error has been shown when it throws.
  func declarations() throws -> Declarations {
    var options = WorkflowOptions(scriptName: file.path, scriptFolder: file.folder)
    options.isCheck = true
    options.loadModule = { [file] in file.module($0) }
    let workflow = try Workflow(text: file.text, options: options)
    drive(workflow)
    if let failure = workflow.failure, failure.kind != .stopped(.interrupted) {
      standardError(Wording(failure, of: file).text)
      throw RunExit(failure)
    }
    return workflow.declarations
  }

  /// A check asks for nothing, so one event is all there is; what still waits is given up.
  private func drive(_ workflow: Workflow) {
    for event in [ProgramEvent.started, .interrupted] {
      let effects = workflow.handle(event, at: .zero)
      let isFinished = effects.contains { if case .finished = $0 { true } else { false } }
      if isFinished { return }
    }
  }
}
