public import Experiments
import Lua
import Paging

/// A script for the lab: loaded without running anything, and open for as long as its policies are asked.
///
/// It belongs to one thread, with all that it declares: each thread of the lab loads its own.
public final class LabScript {
  /// Sources that the script returned, in their order.
  public private(set) var sources: [ExperimentSource] = []
  public private(set) var policies: [ExperimentPolicy] = []
  public private(set) var experiments: [Experiment] = []
  public private(set) var workloads: [WorldDescription] = []
  public private(set) var networks: [WorldDescription] = []
  private let workflow: Workflow

  /// Loads a script; `options.isCheck` is set. Throws `LuaError` when it fails, waits, or returns nothing for the lab.
  ///
  /// `readFile` is asked for the recordings that workloads and networks name, and has to know whether the script may have
  /// them; without it naming one is an error. What it throws is thrown.
  public init(
    text: String, options: WorkflowOptions, readFile: ((_ path: String) throws -> String)? = nil
  ) throws {
    var options = options
    options.isCheck = true
    workflow = try Workflow(text: text, options: options)
    workflow.onReturned = { [unowned self] stack, results in try keepReturned(stack, results) }
    var unread: (any Error)?
    workflow.experiments.readWorld = readFile.map { readFile in
      { path in
        do {
          return try readFile(path)
        } catch {
          unread = error
          throw error
        }
      }
    }
    _ = workflow.handle(.started, at: .zero)
    workflow.onReturned = nil
    if let unread { throw unread }
    guard let failure = workflow.failure else { return }
    throw failure.code == LuaError.checkEnds ? Self.waits(failure) : failure
  }

  private static func waits(_ failure: LuaError) -> LuaError {
    LuaError(
      .runtime, "\(failure.message) while it is loaded: a script for the lab declares, and waits for nothing")
  }

  /// Each returned value, or the elements of a returned list.
  private func keepReturned(_ stack: LuaStack, _ results: Int) throws {
    let first = stack.count - results + 1
    for index in stride(from: first, to: first + results, by: 1) {
      if try keepOne(stack, at: index, count: results) { continue }
      let length = stack.isTable(at: index) ? stack.length(of: index) : 0
      if length == 0 { throw unusable(stack, at: index) }
      for position in 1...length {
        stack.pushElement(position, of: index)
        defer { stack.pop() }
        guard try keepOne(stack, at: stack.absolute(-1), count: length) else {
          throw unusable(stack, at: -1, element: position)
        }
      }
    }
    if results == 0 { throw unusable(stack, at: first) }
  }

  private func unusable(_ stack: LuaStack, at index: Int, element: Int? = nil) -> LuaError {
    let got = element.map { "a list whose element \($0) is a \(stack.typeName(at: index))" }
    let name = workflow.options.scriptName
    return LuaError(
      .runtime,
      "\(name): the lab cannot use what the script returned (expected a source, a policy, an experiment, a "
        + "workload, a network or a list of them, got \(got ?? stack.typeName(at: index)))")
  }

  /// Whether the value is one that the lab knows; then it is kept. A policy without a name is called like its file, where
  /// it is alone there.
  private func keepOne(_ given: LuaStack, at index: Int, count: Int) throws -> Bool {
    given.pushCopy(of: index)
    let prelude = workflow.prelude
    let stack = prelude.state.stack
    prelude.pushEntry("labValue", on: stack)
    given.move(1, to: stack)
    if count == 1 { stack.push(workflow.options.sourceName) } else { stack.pushNil() }
    try prelude.state.call(arguments: 2, results: 2)
    defer { stack.pop(2) }
    guard let word = stack.string(at: -2) else { return false }
    let fields = DefinitionFields(stack: stack, table: stack.absolute(-1))
    do {
      try keep(word, fields)
    } catch HostFunctionError.misuse(let message) {
      throw LuaError(.runtime, message)
    } catch let mistake as InvalidConfiguration {
      throw LuaError(.runtime, "\(workflow.options.scriptName): \(mistake.text)")
    }
    return true
  }

  private func keep(_ word: String, _ fields: DefinitionFields) throws {
    let reader = workflow.experiments
    switch word {
    case "source": sources.append(try reader.source(fields))
    case "policy": policies.append(try reader.policy(fields))
    case "experiment": experiments.append(try reader.experiment(fields))
    case "workload": workloads.append(try reader.world(fields))
    default: networks.append(try reader.world(fields))
    }
  }
}
