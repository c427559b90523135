/// Length and position of each item: the first starts at 0, each other at the end of the one before.
///
/// Uniform lengths take no memory; otherwise a length takes 8 bytes. Finding an item's position, or the items in an
/// interval, takes O(log n) time.
///
/// ```swift
/// let lengths = ItemLengths([20, 30, 20])
/// lengths.start(of: 2)  // 50
/// lengths.items(from: 10, to: 40)  // 0..<2
/// ```
public struct ItemLengths: Sendable {
  private enum Storage: Sendable {
    case same(count: Int, length: Double)
    case each(LengthBlocks)
  }

  private var storage: Storage

  /// Items of one length.
  public init(count: Int = 0, length: Double) {
    precondition(count >= 0, "\(count) items")
    ItemLengths.check(length)
    storage = .same(count: count, length: length)
  }

  /// Items of their own lengths each.
  public init(_ lengths: [Double]) {
    lengths.forEach(ItemLengths.check)
    storage = .each(LengthBlocks(lengths))
  }

  /// Number of items.
  public var count: Int {
    switch storage {
    case .same(let count, _): count
    case .each(let blocks): blocks.count
    }
  }

  /// Total length.
  public var total: Double { start(of: count) }

  /// Where an item starts; for the index after the last, where the last ends.
  public func start(of index: Int) -> Double {
    precondition(0...count ~= index, "item \(index) of \(count)")
    switch storage {
    case .same(_, let length): return Double(index) * length
    case .each(let blocks): return blocks.start(of: index)
    }
  }

  /// The length of an item.
  public subscript(index: Int) -> Double {
    get {
      precondition(0..<count ~= index, "item \(index) of \(count)")
      switch storage {
      case .same(_, let length): return length
      case .each(let blocks): return blocks[index]
      }
    }
    set {
      ItemLengths.check(newValue)
      guard self[index] != newValue else { return }
      changeBlocks { $0[index] = newValue }
    }
  }

  /// The items that share more than an edge with an interval; empty for an empty interval.
  public func items(from low: Double, to high: Double) -> Range<Int> {
    guard low < high else { return 0..<0 }
    switch storage {
    case .same(let count, let length): return sameItems(count, length, low, high)
    case .each(let blocks):
      let first = blocks.firstEnding(after: low)
      return first..<max(first, blocks.firstStarting(from: high))
    }
  }

  /// Inserts items of equal length before an index.
  public mutating func insert(count added: Int, length: Double, at index: Int) {
    precondition(added >= 0 && 0...count ~= index, "\(added) items at \(index) of \(count)")
    ItemLengths.check(length)
    if case .same(let count, let common) = storage, common == length {
      storage = .same(count: count + added, length: common)
    } else if added > 0 {
      changeBlocks { $0.insert(repeatElement(length, count: added), at: index) }
    }
  }

  /// Inserts items before an index.
  public mutating func insert(_ lengths: [Double], at index: Int) {
    precondition(0...count ~= index, "item \(index) of \(count)")
    lengths.forEach(ItemLengths.check)
    if !lengths.isEmpty { changeBlocks { $0.insert(lengths, at: index) } }
  }

  /// Removes items.
  public mutating func remove(_ range: Range<Int>) {
    precondition(0 <= range.lowerBound && range.upperBound <= count, "items \(range) of \(count)")
    switch storage {
    case .same(let count, let length): storage = .same(count: count - range.count, length: length)
    case .each: changeBlocks { $0.remove(range) }
    }
  }

  private mutating func changeBlocks(_ change: (inout LengthBlocks) -> Void) {
    var blocks =
      switch storage {
      case .same(let count, let length): LengthBlocks(repeatElement(length, count: count))
      case .each(let blocks): blocks
      }
    storage = .same(count: 0, length: 0)  // so that the blocks have one owner and are changed in place
    change(&blocks)
    storage = .each(blocks)
  }

  private static func check(_ length: Double) {
    precondition(length >= 0 && length.isFinite, "an item of length \(length)")
  }
}

/// Division finds the index up to rounding; comparing with actual starts settles it.
private func sameItems(_ count: Int, _ length: Double, _ low: Double, _ high: Double) -> Range<Int> {
  guard length > 0 else { return 0..<(low < 0 && high > 0 ? count : 0) }
  var first = Int(min(max(low / length, 0), Double(count)))
  while first > 0, Double(first) * length > low { first -= 1 }
  while first < count, Double(first + 1) * length <= low { first += 1 }
  var end = Int(min(max(high / length, 0), Double(count)))
  while end < count, Double(end) * length < high { end += 1 }
  while end > 0, Double(end - 1) * length >= high { end -= 1 }
  return first..<max(first, end)
}
