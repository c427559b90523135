import Experiments
import Items
import Lua
import Paging

/// The lab, as scripts reach it.
final class LabLibrary: ScriptLibrary {
  private let state: LuaState
  private let turn: Turn
  private let scheduler: Scheduler
  private let calls: HostCalls
  private let experiments: ExperimentReader
  private let lab: (any ScriptLab)?
  private let folder: ScriptFolder
  /// What the script may use of the machine.
  private let account: ScriptAccount

  init(
    _ state: LuaState, _ turn: Turn, _ scheduler: Scheduler, _ calls: HostCalls,
    _ experiments: ExperimentReader, _ lab: (any ScriptLab)?, _ folder: ScriptFolder,
    account: ScriptAccount
  ) {
    self.state = state
    self.turn = turn
    self.scheduler = scheduler
    self.calls = calls
    self.experiments = experiments
    self.lab = lab
    self.folder = folder
    self.account = account
  }

  func register(in host: HostTable) {
    host.add("checkLab", "lab.run") { [unowned self] _ in
      guard lab == nil else { return .nothing }
      throw HostFunctionError.misuse(
        "lab.run: there is no lab here: scripts reach it in `lookahead run`")
    }
    host.add("checkLabPolicy", "lookahead.experiment") { call in
      do throws(PolicyTextError) {
        _ = try ExperimentPolicy(builtIn: call.stack.string(at: 1) ?? "")
        return .nothing
      } catch {
        call.stack.push(error.sentence)
        return .results(1)
      }
    }
    host.add("runExperiment", "lab.run") { [unowned self] call in try runExperiment(call) }
    host.add("comparePolicies", "result:compare") { [unowned self] call in
      guard let result = result(call, at: 1) else { return .nothing }
      let stack = call.stack
      let found: Bytes
      do throws(ExperimentError) {
        found = try result.compare(stack.string(at: 2) ?? "", with: stack.string(at: 3) ?? "")
      } catch {
        throw HostFunctionError.misuse("result:compare: \(error.sentence)")
      }
      try stack.push(json: found, on: state.account)
      return .results(1)
    }
    host.add("writeReport", "result:report") { [unowned self] call in
      guard let result = result(call, at: 2) else { return .nothing }
      return try calls.wait(call, for: .writeFile(path: folder.path(call), contents: result.report()))
    }
  }

  /// runExperiment(fields) → the result; waits.
  ///
  /// It runs between two turns of the script, which pays for it.
  private func runExperiment(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let lab else { return .nothing }
    let task = try scheduler.waitingTask(call)
    let experiment = try experiments.experiment(DefinitionFields(stack: call.stack, table: 1))
    turn.enqueue { [unowned self] in
      // The sessions pay, including for the policies that decide in this state.
      state.isPaidElsewhere = true
      let outcome = Result { () throws(ExperimentError) in try lab.run(experiment, account: account) }
      state.isPaidElsewhere = false
      scheduler.resume(task) { [unowned self] stack throws(LuaError) in
        if state.isStopped { throw LuaError(.stopped(.interrupted), "interrupted") }
        switch outcome {
        case .success(let result):
          stack.push(owner: SharedResult(result))
          try stack.push(json: result.json, on: state.account)
          return 2
        case .failure(let error):
          throw LuaError(.runtime, "\(stack.scriptPlace(in: task))lab.run: \(error.sentence)")
        }
      }
    }
    return .waits
  }

  private func result(_ call: HostFunctionCall, at index: Int) -> (any ExperimentResult)? {
    (call.stack.owner(at: index) as? SharedResult)?.result
  }
}

/// A result held by a script.
private final class SharedResult {
  let result: any ExperimentResult

  init(_ result: any ExperimentResult) { self.result = result }
}
