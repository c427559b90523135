/// How many partitions a run has read, and how many there are.
public struct PartitionCounts: Sendable, Equatable {
  /// Those that are known of so far.
  public var listed = 0
  /// Those of them that are at their end, now or since an earlier run.
  public var done = 0
  /// Those of them that were at their end before this run.
  public var doneBefore = 0
  /// Those of them that can't be read.
  public var failed = 0
  /// Lists that may go on.
  public var openLists = 0
  /// Sources that are read as a whole.
  public var besides = 0

  public init() {}

  /// Those that came to their end in this run.
  public var doneNow: Int { done - doneBefore }

  /// Whether there are no others.
  public var isListed: Bool { listed > 0 && openLists == 0 }

  /// How many are left, where that says how far the run is; nil where others may come, or more than partitions is read.
  public var left: Int? { isListed && besides == 0 ? max(0, listed - done - failed) : nil }

  public static func + (left: PartitionCounts, right: PartitionCounts) -> PartitionCounts {
    var sum = left
    sum.listed += right.listed
    sum.done += right.done
    sum.doneBefore += right.doneBefore
    sum.failed += right.failed
    sum.openLists += right.openLists
    sum.besides += right.besides
    return sum
  }
}
