import Items
public import Paging

/// Names a partition, the same in all runs and on all machines; safe as the name of a file.
///
///     PartitionID(source: "rows", partition: #"{"account":7}"#).text // rows-…
public struct PartitionID: Hashable, Sendable {
  /// As `rows-1f3a…`: the source's name, and sixteen digits.
  public let text: String
  /// What the digits say.
  public let hash: UInt64

  /// The id of a part of a source, as `ReadingRequest.partition` says it.
  public init(source: String, partition: String) {
    let digest = sha256(Array("\(source)\n\(partition)".utf8)).prefix(8)
    hash = digest.reduce(0) { $0 << 8 | UInt64($1) }
    text = "\(PartitionID.name(source))-\(Array(digest).hexadecimal)"
  }

  /// The id of a partition whose text is known.
  public init(_ partition: Partition) { self.init(source: partition.source, partition: partition.text) }

  /// Letters, digits, dots, dashes and underscores; no more than a file's name has room for.
  private static func name(_ source: String) -> String {
    let kept = source.unicodeScalars.prefix(64).map { scalar -> Character in
      let isSafe =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || scalar == "-" || scalar == "_" || scalar == "."
      return isSafe ? Character(scalar) : "_"
    }
    return kept.first == "." || kept.first == "-" ? "_" + String(kept) : String(kept)
  }
}

/// One of several shares of all partitions, as `2/8`: each partition is in exactly one of them.
public struct Shard: Hashable, Sendable {
  /// From 1.
  public let index: Int
  public let count: Int

  /// Nil unless it is one of so many.
  public init?(index: Int, count: Int) {
    guard count >= 1, 1...count ~= index else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Whether the partition belongs to it.
  public func contains(_ id: PartitionID) -> Bool { id.hash % UInt64(count) == UInt64(index - 1) }
}

/// The list of all partitions as a share sees it: how many there are, and a digest that does not depend on their order. Shares that have
/// seen other lists may have left partitions to each other that nobody has read.
public final class ListedPartitions: Sendable, Equatable {
  private let state = Monitor((ids: Set<UInt64>(), digest: UInt64(0)))

  public init() {}

  /// Notes one that is listed, once or more.
  public func note(_ id: PartitionID) {
    state.withLock { if $0.ids.insert(id.hash).inserted { $0.digest &+= id.hash } }
  }

  /// As `8 1f3a…`.
  var text: String {
    state.withLock { "\($0.ids.count) \(String($0.digest, radix: 16))" }
  }

  public static func == (one: ListedPartitions, other: ListedPartitions) -> Bool { one === other }
}
