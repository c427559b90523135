/// Which elements of two lists are the same one: the first half of Heckel's algorithm (1978), on flat tables.
///
/// An element of one list is linked to at most one of the other. Of several with one id that comes next after
/// the element linked last, else the first that is free. Common beginnings and ends need no table.
@usableFromInline
struct Links {
  /// Elements at the beginning that are the same in both lists.
  @usableFromInline var prefix = 0
  /// For each new element between the common ends, its old offset plus one, both from the prefix on; zero for
  /// one that comes.
  @usableFromInline var sources: [UInt32] = []
  /// For each old element between the common ends, whether it is in the new list.
  @usableFromInline var isKept: [Bool] = []

  /// Nil as soon as more than `limit` elements come, or go.
  @inlinable
  init?<Element, ID: Hashable>(
    _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>, id: (Element) -> ID, limit: Int
  ) {
    precondition(max(old.count, new.count) < Int32.max, "a list of \(max(old.count, new.count)) elements")
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, Identity.isSame(id(old[start]), id(new[start])) { start += 1 }
    var suffix = 0
    while suffix < shorter - start,
      Identity.isSame(id(old[old.count - 1 - suffix]), id(new[new.count - 1 - suffix]))
    { suffix += 1 }
    prefix = start
    let oldMiddle = UnsafeBufferPointer(rebasing: old[start..<old.count - suffix])
    let newMiddle = UnsafeBufferPointer(rebasing: new[start..<new.count - suffix])
    guard abs(oldMiddle.count - newMiddle.count) <= limit else { return nil }
    isKept = Array(repeating: false, count: oldMiddle.count)
    if oldMiddle.isEmpty || newMiddle.isEmpty {
      sources = Array(repeating: 0, count: newMiddle.count)
    } else if !link(oldMiddle, newMiddle, id: id, limit: limit) {
      return nil
    }
  }

  @inlinable
  mutating func link<Element, ID: Hashable>(
    _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>, id: (Element) -> ID, limit: Int
  ) -> Bool {
    var unlinked = 0
    let capacity = LinkTable<Element>.capacity(old.count)
    sources = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { slots in
      isKept.withUnsafeMutableBufferPointer { isKept in
        let table = LinkTable(old, slots: slots, isTaken: isKept, id: id)
        return Array(unsafeUninitializedCapacity: new.count) { sources, count in
          var next = 0
          while count < new.count, unlinked <= limit {
            let element = new[count]
            let match = table.isMatch(next, element, id: id) ? next : table.match(element, id: id)
            if match >= 0 {
              isKept[match] = true
              next = match + 1
            } else {
              unlinked += 1
            }
            sources.initializeElement(at: count, to: UInt32(truncatingIfNeeded: match + 1))
            count += 1
          }
        }
      }
    }
    return unlinked <= limit
  }
}
