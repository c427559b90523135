import Hosting
import Items
import Lua
import Paging

/// Prints the partitions of a script, one a line, as they become known.
final class PartitionLister {
  /// Those that were printed: a script may come to one of them twice.
  private var known: Set<UInt64> = []

  /// Prints a partition, if it is of the share.
  func list(_ partition: Partition, in shard: Shard?) throws(LuaError) {
    guard partition.parameters.count > 0 else {
      throw LuaError(
        .runtime,
        "source '\(partition.source)': a partition has parameters that JSON can't carry (\(partition.text)): "
          + "expected texts, numbers, truth values, and lists or tables of these", code: "script")
    }
    let id = PartitionID(partition)
    guard shard?.contains(id) ?? true, known.insert(id.hash).inserted else { return }
    var line = JSONLine()
    line.add("id", id.text)
    line.add("source", partition.source)
    if let stream = partition.stream { line.add("stream", stream) }
    line.add(raw: "parameters", partition.parameters.string == "[]" ? "{}" : partition.parameters.string)
    StandardOutput.write(line.text + "\n")
  }
}
