/// Lengths in short blocks, with cumulative sums per block.
///
/// A search is a binary search for the block and a scan of it. A change shifts the lengths of one block and the sums of
/// the blocks after it.
struct LengthBlocks: Sendable {
  private struct End: Sendable {
    var count: Int
    var length: Double
  }

  private struct Block: Sendable {
    var lengths: [Double]
    var total: Double

    init(_ lengths: [Double]) {
      self.lengths = lengths
      total = lengths.reduce(0, +)
    }
  }

  private static let size = 128
  private var blocks: [Block] = []
  private var ends: [End] = []

  init(_ lengths: some Collection<Double>) { insert(lengths, at: 0) }

  var count: Int { ends.last?.count ?? 0 }

  func start(of index: Int) -> Double {
    let block = firstBlock { $0.count > index }
    guard block < blocks.count else { return ends.last?.length ?? 0 }
    let before = end(before: block)
    var start = before.length
    for offset in 0..<index - before.count { start += blocks[block].lengths[offset] }
    return start
  }

  subscript(index: Int) -> Double {
    get {
      let block = firstBlock { $0.count > index }
      return blocks[block].lengths[index - end(before: block).count]
    }
    set {
      let block = firstBlock { $0.count > index }
      let offset = index - end(before: block).count
      change(block) { $0[offset] = newValue }
      sum(from: block)
    }
  }

  /// The first item that ends past a position, or the count.
  func firstEnding(after place: Double) -> Int {
    let block = firstBlock { $0.length > place }
    return walk(block) { _, end in end > place }
  }

  /// The first item that starts at or past a position, or the count.
  func firstStarting(from place: Double) -> Int {
    let block = firstBlock { $0.length >= place }
    return walk(block) { start, _ in start >= place }
  }

  mutating func insert(_ lengths: some Collection<Double>, at index: Int) {
    if blocks.isEmpty { blocks.append(Block([])) }
    let block = min(firstBlock { $0.count >= index }, blocks.count - 1)
    let offset = index - end(before: block).count
    if blocks[block].lengths.count + lengths.count <= LengthBlocks.size {
      change(block) { $0.insert(contentsOf: lengths, at: offset) }
    } else {
      let room = LengthBlocks.size - offset
      let tail = Array(blocks[block].lengths[offset...])
      change(block) { $0.replaceSubrange(offset..., with: lengths.prefix(room)) }
      let whole = pieces(of: lengths.dropFirst(room)) + (tail.isEmpty ? [] : [Block(tail)])
      blocks.insert(contentsOf: whole, at: block + 1)
    }
    sum(from: block)
  }

  mutating func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = firstBlock { $0.count > range.lowerBound }
    let last = firstBlock { $0.count >= range.upperBound }
    let kept =
      blocks[first].lengths.prefix(range.lowerBound - end(before: first).count)
      + blocks[last].lengths.dropFirst(range.upperBound - end(before: last).count)
    blocks.replaceSubrange(first...last, with: pieces(of: kept))
    sum(from: first)
  }

  private mutating func change(_ block: Int, _ body: (inout [Double]) -> Void) {
    var lengths: [Double] = []
    swap(&lengths, &blocks[block].lengths)
    body(&lengths)
    blocks[block] = Block(lengths)
  }

  private func pieces(of lengths: some Collection<Double>) -> [Block] {
    var result: [Block] = []
    var rest = lengths[...]
    while !rest.isEmpty {
      result.append(Block(Array(rest.prefix(LengthBlocks.size))))
      rest = rest.dropFirst(LengthBlocks.size)
    }
    return result
  }

  private func end(before block: Int) -> End { block > 0 ? ends[block - 1] : End(count: 0, length: 0) }

  /// The first block for which a monotonic condition holds, or their count.
  private func firstBlock(where isReached: (End) -> Bool) -> Int {
    var low = 0
    var high = ends.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(ends[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The first item from a block on for which the condition holds.
  private func walk(_ block: Int, until isReached: (_ start: Double, _ end: Double) -> Bool) -> Int {
    guard block < blocks.count else { return count }
    var place = end(before: block)
    for length in blocks[block].lengths {
      if isReached(place.length, place.length + length) { break }
      place.length += length
      place.count += 1
    }
    return place.count
  }

  private mutating func sum(from block: Int) {
    var place = end(before: block)
    ends.removeSubrange(min(block, ends.count)...)
    for block in blocks[block...] {
      place.length += block.total
      place.count += block.lengths.count
      ends.append(place)
    }
  }
}
