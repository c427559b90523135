extension Array {
  /// How an older list became this one; elements with equal ids are the same element.
  ///
  /// Takes linear time, and n log n where elements moved. Texts are compared byte by byte. With more than
  /// `limit` changes it is a reload, found early where it can be.
  @inlinable
  public func difference<ID: Hashable>(
    from old: [Element], id: (Element) -> ID, limit: Int? = nil
  ) -> ListDifference {
    difference(from: old, id: id, isContentEqual: { _, _ in true }, limit: limit)
  }

  /// The same, with updates: elements of both lists whose forms are not equal.
  @inlinable
  public func difference<ID: Hashable>(
    from old: [Element], id: (Element) -> ID, isContentEqual: (_ old: Element, _ new: Element) -> Bool,
    limit: Int? = nil
  ) -> ListDifference {
    let limit = limit ?? .max
    let found = old.withUnsafeBufferPointer { old in
      withUnsafeBufferPointer { new -> ListDifference? in
        guard let links = Links(old, new, id: id, limit: limit) else { return nil }
        var difference = ListDifference(links)
        difference.addUpdates(links, old, new, isContentEqual)
        return difference
      }
    }
    guard let found, found.count <= limit else { return .reload }
    return found
  }
}

extension ListDifference {
  /// Reads what goes, comes and moves off the links.
  @inlinable
  init(_ links: Links) {
    let chain = StayingChain(links.sources)
    for (offset, isKept) in links.isKept.enumerated() where !isKept {
      deletions.append(links.prefix + offset)
    }
    var staying = chain.first
    for (offset, source) in links.sources.enumerated() {
      if source == 0 {
        insertions.append(links.prefix + offset)
      } else if offset == staying {
        staying = Int(chain.next[offset])
      } else if !chain.isWhole {
        moves.append(Pair(from: links.prefix + Int(source) - 1, to: links.prefix + offset))
      }
    }
  }

  @inlinable
  mutating func addUpdates<Element>(
    _ links: Links, _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>,
    _ isContentEqual: (Element, Element) -> Bool
  ) {
    func compare(_ from: Int, _ to: Int) {
      if !isContentEqual(old[from], new[to]) { updates.append(Pair(from: from, to: to)) }
    }
    for offset in 0..<links.prefix { compare(offset, offset) }
    for (offset, source) in links.sources.enumerated() where source != 0 {
      compare(links.prefix + Int(source) - 1, links.prefix + offset)
    }
    for offset in links.prefix + links.sources.count..<new.count {
      compare(offset - new.count + old.count, offset)
    }
  }
}
