/// The most elements that can stay while the others move: a longest increasing subsequence (patience sorting).
///
/// Of several of that length, one that starts early. Read from first to last.
@usableFromInline
struct StayingChain {
  /// The first staying element.
  @usableFromInline var first = -1
  /// For each staying element, the next one; empty if all stay.
  @usableFromInline var next: [Int32] = []

  /// `sources` are unique, except zeros, which are ignored.
  @inlinable
  init(_ sources: [UInt32]) {
    guard !StayingChain.isAscending(sources) else { return }
    next = Array(repeating: -1, count: sources.count)
    // For each length, the start of the chain with the greatest first element; these descend.
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

  /// Whether all elements stay.
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
