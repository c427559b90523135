/// What tells the forms of released items from later ones: eight bytes each, of the newest million at least.
///
/// Two forms are taken for one as seldom as two of 18 million million million numbers are equal; whether they are does not depend
/// on how fast a reader was.
struct ReleasedForms: Sendable {
  private var first = 0
  private var digests: [Int] = []

  private static let least = 1 << 20

  /// Notes the item at the position behind the last one; at another position it forgets those before.
  mutating func append(_ item: Item, at position: Int) {
    if position != first + digests.count { (first, digests) = (position, []) }
    digests.append(Self.digest(item))
    guard digests.count > 2 * Self.least else { return }
    digests.removeFirst(Self.least)
    first += Self.least
  }

  /// Whether the item differs from the form at a position, which it takes the place of; also where that is not known any more.
  mutating func replace(at position: Int, with item: Item) -> Bool {
    guard digests.indices.contains(position - first) else { return true }
    let digest = Self.digest(item)
    guard digests[position - first] != digest else { return false }
    digests[position - first] = digest
    return true
  }

  mutating func removeAll() { digests = [] }

  private static func digest(_ item: Item) -> Int {
    var hasher = Hasher()
    item.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
