public import Paging

/// How much of its sources a run has delivered.
public struct Coverage: Sendable, Equatable {
  /// Readings that ended with another number of items than their source reported, in order of their end.
  public internal(set) var mismatches: [Reading] = []
  /// Whether the command line ended a reading before its source did.
  public internal(set) var isCut = false

  /// A reading and its mismatch.
  public struct Reading: Sendable, Equatable {
    /// The source's name.
    public let source: String
    public let mismatch: TotalMismatch
    let reader: Int
  }

  /// Items that sources have but did not send.
  public var missing: Int { mismatches.reduce(0) { min(Limits.total, $0 + $1.mismatch.missing) } }

  /// Items that may be missing, as lists got shorter while counted pages of them were read.
  public var mayMiss: Int { mismatches.reduce(0) { min(Limits.total, $0 + $1.mismatch.mayMiss) } }

  /// Whether every source was read to an end consistent with its total.
  public var isWhole: Bool { mismatches.isEmpty && !isCut }

  static func + (left: Coverage, right: Coverage) -> Coverage {
    var sum = left
    sum.mismatches += right.mismatches
    sum.isCut = left.isCut || right.isCut
    return sum
  }

  /// Records the end of a reading, replacing an earlier reading of the same source.
  mutating func add(_ mismatch: TotalMismatch, of source: String, reader: Int) {
    forget(reader)
    mismatches.append(Reading(source: source, mismatch: mismatch, reader: reader))
  }

  /// A new reading begins.
  mutating func forget(_ reader: Int) { mismatches.removeAll { $0.reader == reader } }
}
