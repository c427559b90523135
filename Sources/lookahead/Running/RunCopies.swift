import Hosting
import Lua
import Paging
import Scripting
import Synchronization

/// The copies of a run's workflow that read its partitions, with `--jobs`: what they have counted and why one failed.
final class RunCopies: Sendable {
  private struct State: Sendable {
    var beginning = WorkflowBeginning()
    var failure: LuaError?
    var tallies: [Int: CopyTally] = [:]
  }

  private let state = Mutex(State())

  /// Why the first copy that failed did.
  var failure: LuaError? { state.withLock(\.failure) }
  /// What the copies have counted.
  var tallies: [CopyTally] { state.withLock { Array($0.tallies.values) } }

  /// What to say of variables that the script changes while it reads: each thread has its own.
  var warning: String? {
    let names = Set(tallies.flatMap(\.changedVariables)).sorted()
    guard let first = names.first else { return nil }
    let isOne = names.count == 1
    let variables = isOne ? "variable \(first)" : "variables \(names.joined(separator: ", "))"
    return "the script changes its \(variables) while it reads partitions: with --jobs each thread has "
      + "\(isOne ? "one" : "some") of its own, so what one partition leaves there the next may not find"
  }

  /// So many copies of the workflow, which has these options; what they have to say is heard on the loop's thread. Each gets its state of
  /// Lua at once, and becomes a copy when there is a partition for it.
  func make(
    _ count: Int, of workflow: Workflow, text: String, _ options: WorkflowOptions, in mailbox: Mailbox,
    hear: @escaping (Observation) -> Void
  ) -> ProgramCopies {
    nonisolated(unsafe) let hear = hear
    nonisolated(unsafe) let options = options
    return ProgramCopies(
      count: count,
      make: { [self] number in
        let copy = CopiedWorkflow(number, self)
        var options = options
        options.copies = 0
        options.tallyElsewhere = { [] }
        options.failureElsewhere = { nil }
        options.firstReadingsTaken = {}
        options.takes = nil
        options.refuseStreams = { _, _ in nil }
        options.tellStreams = { _ in }
        options.lab = ReportingLab()
        options.observe = { [unowned copy] observation in
          if copy.isReady { mailbox.post { hear(observation) } }
        }
        do {
          let workflow = try Workflow(text: text, options: options)
          copy.workflow = workflow
          nonisolated(unsafe) let stopped = workflow
          return ProgramCopies.Copy(copy) { stopped.stopScript() }
        } catch {
          fail(error)
          throw error
        }
      },
      begin: { [unowned self, unowned workflow] in state.withLock { $0.beginning = workflow.beginning } })
  }

  /// What happened to the workflow before it had partitions.
  var beginning: WorkflowBeginning { state.withLock(\.beginning) }

  /// Notes why a copy failed; that it was stopped with the run is no reason.
  func fail(_ error: any Error) {
    let error = error as? LuaError ?? LuaError(.runtime, "\(error)")
    guard error.kind != .stopped(.interrupted) else { return }
    state.withLock { $0.failure = $0.failure ?? error }
  }

  func note(_ tally: CopyTally, of number: Int) { state.withLock { $0.tallies[number] = tally } }
}

/// A copy of a workflow that says what it has counted, and why it failed.
private final class CopiedWorkflow: Program {
  var workflow: Workflow?
  /// Whether it has become a copy: what the script says before that has been said.
  private(set) var isReady = false
  private let number: Int
  private let copies: RunCopies

  init(_ number: Int, _ copies: RunCopies) {
    self.number = number
    self.copies = copies
  }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    guard let workflow, isReady || becomes(workflow, for: event) else { return [.finished] }
    let effects = workflow.handle(event, at: now)
    copies.note(workflow.copyTally, of: number)
    if let failure = workflow.failure { copies.fail(failure) }
    return effects
  }

  /// Makes the workflow a copy, now that there is something to read; false if there is not, or that fails.
  private func becomes(_ workflow: Workflow, for event: ProgramEvent) -> Bool {
    guard case .called = event else { return false }
    do {
      try workflow.become(copy: number, copies.beginning)
      isReady = true
    } catch {
      copies.fail(error)
    }
    return isReady
  }
}
