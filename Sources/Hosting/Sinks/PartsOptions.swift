import Paging

/// How a directory of parts is written: for each partition a file of its rows, named `ID.EPOCH.ndjson`, and once they are all
/// there `ID.EPOCH.done`. The highest epoch of a partition counts. `manifest.json` lists the parts of a whole run.
public struct PartsOptions: Sendable, Equatable {
  /// Whether other processes write parts there at the same time.
  public var isShared = false
  /// The share of the partitions that is read; its end is noted for it alone.
  public var shard: Shard?
  /// All partitions, of which the share has some, as far as they are known.
  public var listed: ListedPartitions?
  /// Whether the partitions that are read are all there are, so that the manifest is written when they are done.
  public var endsRun = false
  /// The script, for the manifest.
  public var script = ""

  /// Parts that one process writes.
  public init() {}
}

/// What happens to a part; told on the sink's thread.
public enum PartEvent: Sendable, Equatable {
  /// It is written from here on: so many items are there from an earlier epoch.
  case begun(id: String, epoch: Int, items: Int)
  /// So much of it is kept.
  case position(id: String, epoch: Int, pages: Int, items: Int)
  /// All of it is on the disk; `isNew` unless it was before.
  case done(PartRecord, isNew: Bool)
  /// Another epoch has taken the partition over: nothing more is written for this one.
  case superseded(id: String, epoch: Int)
  /// Its source ended without all that it said to have.
  case incomplete(id: String, epoch: Int)
}
