import Paging

/// Dry runs: what would leave the run, or change anything outside of it, is told and not done.
extension Workflow {
  /// What a dry run answers instead of the outside; nil for what is only looked at, which is done. Reading ends the task, since
  /// there is nothing to go on with; writing is taken as done.
  func dryReply(to call: HostCall) -> HostReply? {
    switch call {
    case .http, .query, .openRows:
      options.observe(.wouldSend(call))
      return .failed(HostFailure(.cancelled, "a dry run sends nothing"))
    case .writeFile:
      options.observe(.wouldSend(call))
      return .done
    case .execute:
      options.observe(.wouldSend(call))
      return .count(0)
    // A database is made by being opened.
    case .openDatabase: return .handle(0)
    case .close(let handle): return handle == 0 ? .done : nil
    case .sleep, .emit, .readFile, .fileExists, .listFiles, .openLines, .nextLines, .nextRows, .environment:
      return nil
    }
  }
}
