public import Paging

/// How much of what its sources have a run has brought.
public struct Coverage: Sendable, Equatable {
  /// Readings that came to their end with another number of items than their source told, in the order of their ends.
  public internal(set) var mismatches: [Reading] = []
  /// The command line ended a reading before its source did.
  public internal(set) var isCut = false

  /// A reading, and what came of it.
  public struct Reading: Sendable, Equatable {
    /// The source's name.
    public let source: String
    public let mismatch: TotalMismatch
    let reader: Int
  }

  /// Items that sources have and did not send.
  public var missing: Int { mismatches.reduce(0) { min(Limits.total, $0 + $1.mismatch.missing) } }

  /// Whether every source was read to an end that agrees with what it said.
  public var isWhole: Bool { mismatches.isEmpty && !isCut }

  /// Takes note of a reading's end; a later reading of the same source takes its place.
  mutating func add(_ mismatch: TotalMismatch, of source: String, reader: Int) {
    forget(reader)
    mismatches.append(Reading(source: source, mismatch: mismatch, reader: reader))
  }

  /// A new reading begins.
  mutating func forget(_ reader: Int) { mismatches.removeAll { $0.reader == reader } }
}
