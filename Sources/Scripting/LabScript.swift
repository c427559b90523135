public import Experiments
import Lua
import Paging

/// A script loaded for the lab: nothing runs, and it stays open as long as its policies are used.
///
/// It belongs to one thread, with all its declarations: each thread of the lab loads its own.
///
/// ```swift
/// let script = try LabScript(text: text, options: options)
/// experiment.sources = script.sources
/// ```
public final class LabScript {
  /// Sources that the script returned, in order.
  public private(set) var sources: [ExperimentSource] = []
  public private(set) var policies: [ExperimentPolicy] = []
  public private(set) var experiments: [Experiment] = []
  public private(set) var workloads: [WorldDescription] = []
  public private(set) var networks: [WorldDescription] = []
  private let workflow: Workflow

  /// Loads a script; `options.isCheck` is set. Throws `LuaError` if it fails, waits, or returns nothing for the lab.
  ///
  /// `readFiles` is called for the recordings, folders of recordings and patterns that workloads and networks name, and has to
  /// check the script's permissions; without it naming one is an error. Its errors are rethrown.
  public init(
    text: String, options: WorkflowOptions, readFiles: ((_ path: String) throws -> [WorldFile])? = nil
  ) throws {
    var options = options
    options.isCheck = true
    workflow = try Workflow(text: text, options: options)
    workflow.onReturned = { [unowned self] stack, results in try keepReturned(stack, results) }
    var unread: (any Error)?
    workflow.experiments.readWorld = readFiles.map { readFiles in
      { path in
        do {
          return try readFiles(path)
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

  /// Keeps the value if the lab knows its kind; returns whether it does. An unnamed policy is named after its file, if
  /// it is the only one.
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
