import Items
import Lua
import Paging

/// A workflow that reads partitions which come from outside, each as a call, in place of those that its script returns.
extension Workflow {
  /// The error of a script that returns nothing to read, where that is needed.
  static let noSource = LuaError(
    .runtime,
    "the script returns no source, so it has no partitions: end it with return SOURCE, or SOURCE:partitions(…)",
    code: "script")

  /// The script has returned: its sources are read as partitions of them come.
  func beginWork(_ stack: LuaStack, _ results: Int) throws {
    let partitions = try returnedSources.partitions(stack, results: results, all: true)
    guard !partitions.isEmpty else { throw Self.noSource }
    copying?.partitions = partitions
    let waiting = copying?.waiting ?? []
    copying?.waiting = []
    for (partition, id) in waiting { read(partition, answering: id) }
  }

  /// Nobody wants a partition any more; false if the call is for none.
  func callOff(partition id: HostCallID) -> Bool {
    if let place = copying?.waiting.firstIndex(where: { $0.1 == id }) {
      copying?.waiting.remove(at: place)
      return true
    }
    return feeds.abandonPartition(of: id)
  }

  /// The error for a partition that is another here than where it was listed.
  static func otherPartition(_ partition: Partition) -> LuaError {
    LuaError(
      .runtime,
      "source '\(partition.source)': the partition \(partition.parameters.string) has another id here: list and work "
        + "with the same script and the same -e", code: "partition")
  }
}
