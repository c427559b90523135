/// Ids of items that came before, in so little memory that ten million fit: eight bytes for an integer, sixteen for a text.
///
/// Texts of up to fifteen bytes are kept as they are, longer ones as digests, so that two of them are taken for one about
/// never.
public struct KnownIDs: Sendable, Equatable {
  /// Sorted.
  private var integers: [Int64] = []
  private var texts: [TextDigest] = []
  private var forgotten: Set<ItemID> = []

  /// No ids.
  public init() {}

  /// The ids of the parts, which are the bytes of lists of ids, without those that a later part removes; `count` is how many
  /// integers they have together.
  public init<Failure: Error>(
    count: Int, removed: RemovedIDs = RemovedIDs(), _ next: () throws(Failure) -> (part: Int, ids: Bytes)?
  ) throws(Failure) {
    integers.reserveCapacity(count)
    while let (part, ids) = try next() {
      let list = removed.without(IDList(ids), of: part)
      integers += list.integers
      texts += list.texts
    }
    // Most lists are in order.
    if !integers.isAscending { integers.sort() }
    texts.sort()
  }

  /// The ids of one list.
  public init(_ list: IDList) { (integers, texts) = (list.integers.sorted(), list.texts.sorted()) }

  /// As one list of ids.
  public var bytes: Bytes { IDList(integers, texts).bytes }

  public var isEmpty: Bool { integers.isEmpty && texts.isEmpty }
  /// Ids in it; one that came twice counts twice.
  public var count: Int { integers.count + texts.count }

  /// Whether any of them is of that kind.
  public var hasIntegers: Bool { !integers.isEmpty }
  public var hasTexts: Bool { !texts.isEmpty }

  public func contains(_ id: ItemID) -> Bool {
    guard forgotten.isEmpty || !forgotten.contains(id) else { return false }
    return switch id {
    case .integer(let value): integers.containsSorted(value)
    case .text(let value): !texts.isEmpty && texts.containsSorted(TextDigest(value))
    }
  }

  /// Those of the texts among them; of one that came twice there are two.
  public var digests: [TextDigest] { texts }

  /// An id that is not known any more; few are expected.
  public mutating func forget(_ id: ItemID) { if contains(id) { forgotten.insert(id) } }
}

/// What a part of a reading brought: ids of items, and of those of earlier parts that it removed.
public struct BroughtIDs: Sendable {
  public private(set) var ids = IDList()
  public private(set) var removed = IDList()

  public init() {}

  public var isEmpty: Bool { ids.isEmpty && removed.isEmpty }

  public mutating func append(_ id: ItemID) { ids.append(id) }

  public mutating func append(_ items: [Item]) { ids.append(items) }

  public mutating func remove(_ id: ItemID) {
    ids.remove(id)
    removed.append(id)
  }

  /// What came behind it.
  public mutating func append(_ later: BroughtIDs) {
    ids.remove(later.removed)
    ids.append(later.ids)
    removed.append(later.removed)
  }
}

/// Ids that parts of a reading removed, each with the last part that did.
public struct RemovedIDs: Sendable {
  private var integers: [Int64: Int] = [:]
  private var texts: [TextDigest: Int] = [:]

  public init() {}

  /// Adds those that a part removed, behind every part before it.
  public mutating func add(_ list: IDList, of part: Int) {
    for id in list.integers { integers[id] = max(part, integers[id] ?? 0) }
    for id in list.texts { texts[id] = max(part, texts[id] ?? 0) }
  }

  func without(_ list: IDList, of part: Int) -> IDList {
    guard !integers.isEmpty || !texts.isEmpty else { return list }
    return IDList(
      list.integers.filter { integers[$0] ?? 0 <= part }, list.texts.filter { texts[$0] ?? 0 <= part })
  }
}

/// A text in sixteen bytes, the same in every run.
public struct TextDigest: Sendable, Hashable, Comparable {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// That of an item's bytes.
  public init(_ bytes: Bytes) { self = bytes.withUnsafeBytes { TextDigest($0) } }

  init(_ text: String) {
    var text = text
    self = text.withUTF8 { TextDigest(UnsafeRawBufferPointer($0)) }
  }

  private init(_ bytes: UnsafeRawBufferPointer) {
    func word(from start: Int) -> UInt64 {
      var word: UInt64 = 0
      for offset in min(start, bytes.count)..<min(start + 8, bytes.count) {
        word |= UInt64(bytes[offset]) << UInt64((offset - start) * 8)
      }
      return word
    }
    // The last byte tells the forms apart: the length of what is kept as it is, or 255.
    if bytes.count < 16 {
      self.init(high: word(from: 0), low: word(from: 8) | UInt64(bytes.count) << 56)
      return
    }
    var (first, second) = (
      0x9E37_79B9_7F4A_7C15 as UInt64 ^ UInt64(bytes.count), 0xC2B2_AE3D_27D4_EB4F as UInt64
    )
    for start in stride(from: 0, to: bytes.count, by: 8) {
      let word = word(from: start)
      first = TextDigest.mixed(first ^ word, 0xA076_1D64_78BD_642F)
      second = TextDigest.mixed(second &+ word, 0xE703_7ED1_A0B4_28DB ^ first)
    }
    self.init(
      high: TextDigest.mixed(first, 0x8EBC_6AF0_9C88_C6E3 ^ second),
      low: TextDigest.mixed(second, 0x5899_65CC_7537_4CC3) | 0xFF << 56)
  }

  /// The halves of the product, folded.
  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return high ^ low ^ left
  }

  public static func < (left: TextDigest, right: TextDigest) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension Array where Element: Comparable {
  var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }

  func containsSorted(_ element: Element) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == element
  }
}
