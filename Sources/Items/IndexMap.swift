/// Where each index went when some were deleted and some inserted (Texture 2.4).
///
/// Deleted indices are old ones, inserted indices new ones. A lookup is a binary search.
///
/// ```swift
/// let map = IndexMap(oldCount: 3, deleted: [0], inserted: [1])
/// map.new(1)  // 0
/// map.old(1)  // nil: inserted
/// ```
public struct IndexMap: Sendable, Equatable {
  /// Maps every index to itself, even outside any list.
  public static let identity = IndexMap(kind: .identity)
  /// Maps nothing.
  public static let empty = IndexMap(kind: .empty)

  private enum Kind: Sendable, Equatable {
    case identity
    case empty
    /// Runs of surviving indices, ascending by old index and by new index.
    case runs(byOld: [Run], byNew: [Run])
  }

  private struct Run: Sendable, Equatable {
    var old: Int
    var new: Int
    var count: Int
  }

  /// Far more than any list has, and so little that sums of a few indices are numbers still.
  private static let largestIndex = 1 << 60

  private let kind: Kind

  private init(kind: Kind) { self.kind = kind }

  /// The map for a list of `oldCount` elements. Indices may be in any order and repeated.
  ///
  /// Moved elements map to their targets; the others make room for them as for inserted ones. Impossible indices,
  /// negative or beyond `largestIndex`, are ignored.
  public init(
    oldCount: Int, deleted: [Int], inserted: [Int], moved: [(from: Int, to: Int)] = []
  ) {
    guard oldCount > 0 else {
      self = .empty
      return
    }
    let oldCount = min(oldCount, IndexMap.largestIndex)
    guard !(deleted.isEmpty && inserted.isEmpty && moved.isEmpty) else {
      self = .identity
      return
    }
    let survivors = IndexMap.survivors(oldCount: oldCount, deleted: deleted + moved.map(\.from))
    let runs = IndexMap.shift(survivors, by: IndexMap.ranges(of: inserted + moved.map(\.to)))
    guard !moved.isEmpty else {
      self.init(kind: .runs(byOld: runs, byNew: runs))
      return
    }
    let places = 0...IndexMap.largestIndex
    let all =
      runs
      + moved.filter { places ~= $0.from && places ~= $0.to }.map { Run(old: $0.from, new: $0.to, count: 1) }
    self.init(kind: .runs(byOld: all.sorted { $0.old < $1.old }, byNew: all.sorted { $0.new < $1.new }))
  }

  /// Old to new; nil if deleted or out of range.
  public func new(_ old: Int) -> Int? {
    switch kind {
    case .identity: old
    case .empty: nil
    case .runs(let runs, _): IndexMap.find(old, in: runs, from: \.old).map { $0.run.new + $0.offset }
    }
  }

  /// New to old; nil if inserted or out of range.
  public func old(_ new: Int) -> Int? {
    switch kind {
    case .identity: new
    case .empty: nil
    case .runs(_, let runs): IndexMap.find(new, in: runs, from: \.new).map { $0.run.old + $0.offset }
    }
  }

  /// The map in the other direction.
  public var inverse: IndexMap {
    guard case .runs(let byOld, let byNew) = kind else { return self }
    func swapped(_ run: Run) -> Run { Run(old: run.new, new: run.old, count: run.count) }
    return IndexMap(kind: .runs(byOld: byNew.map(swapped), byNew: byOld.map(swapped)))
  }

  private static func find(
    _ index: Int, in runs: [Run], from start: (Run) -> Int
  ) -> (run: Run, offset: Int)? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if start(runs[middle]) <= index { low = middle + 1 } else { high = middle }
    }
    guard low > 0, index - start(runs[low - 1]) < runs[low - 1].count else { return nil }
    return (runs[low - 1], index - start(runs[low - 1]))
  }
}

extension IndexMap {
  /// The remaining indices, packed from 0.
  private static func survivors(oldCount: Int, deleted: [Int]) -> [Run] {
    var runs: [Run] = []
    var next = 0
    var packed = 0
    for gap in ranges(of: deleted) {
      let end = min(max(gap.lowerBound, next), oldCount)
      if end > next {
        runs.append(Run(old: next, new: packed, count: end - next))
        packed += end - next
      }
      next = max(next, gap.upperBound)
    }
    if next < oldCount { runs.append(Run(old: next, new: packed, count: oldCount - next)) }
    return runs
  }

  /// Shifts every position at or after a range's start up by its length, range by range; a range past the end shifts
  /// nothing.
  private static func shift(_ runs: [Run], by inserted: [Range<Int>]) -> [Run] {
    var result: [Run] = []
    var shifts = inserted[...]
    var offset = 0
    for var run in runs {
      while let range = shifts.first, range.lowerBound <= run.new + offset + run.count - 1 {
        let before = range.lowerBound - (run.new + offset)
        if before > 0 {
          result.append(Run(old: run.old, new: run.new + offset, count: before))
          run = Run(old: run.old + before, new: run.new + before, count: run.count - before)
        }
        offset += range.count
        shifts = shifts.dropFirst()
      }
      result.append(Run(old: run.old, new: run.new + offset, count: run.count))
    }
    return result
  }

  /// Ascending disjoint ranges.
  private static func ranges(of indices: [Int]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for index in indices.sorted() where 0...largestIndex ~= index {
      if let last = result.last, index <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, index + 1)
      } else {
        result.append(index..<index + 1)
      }
    }
    return result
  }
}
