/// The most elements that can stay while the others move: a longest ascending subsequence (patience sorting).
///
/// Of several that are as long, one that begins early. Read from the first to the last.
@usableFromInline
struct StayingChain {
  /// The first element that stays.
  @usableFromInline var first = -1
  /// For each element that stays, the next one that does; empty when all do.
  @usableFromInline var next: [Int32] = []

  /// `sources` are unique, but for zero, which counts for nothing.
  @inlinable
  init(_ sources: [UInt32]) {
    guard !StayingChain.isAscending(sources) else { return }
    next = Array(repeating: -1, count: sources.count)
    // For each length, where the chain with the greatest beginning begins; these beginnings descend.
    var heads: [Int32] = []
    var index = sources.count - 1
    while index >= 0 {
      defer { index -= 1 }
      let source = sources[index]
      guard source != 0 else { continue }
      var low = 0
      var high = heads.count
      if let last = heads.last, sources[Int(last)] > source { low = high }
      while low < high {
        let middle = (low + high) / 2
        if sources[Int(heads[middle])] > source { low = middle + 1 } else { high = middle }
      }
      if low > 0 { next[index] = heads[low - 1] }
      if low == heads.count { heads.append(Int32(index)) } else { heads[low] = Int32(index) }
    }
    first = Int(heads.last ?? -1)
  }

  /// Whether all stay.
  @inlinable var isWhole: Bool { next.isEmpty }

  @inlinable
  static func isAscending(_ sources: [UInt32]) -> Bool {
    var last: UInt32 = 0
    for source in sources where source != 0 {
      if source < last { return false }
      last = source
    }
    return true
  }
}
