public import Items

/// Insertions and moves go to their places, and what stays fills the others in its order.
public func rebuild<Element>(_ old: [Element], _ difference: ListDifference, _ new: [Element]) -> [Element]? {
  var left = old.map(Optional.some)
  for offset in difference.deletions { left[offset] = nil }
  var result: [Element?] = Array(repeating: nil, count: new.count)
  for offset in difference.insertions { result[offset] = new[offset] }
  for move in difference.moves {
    result[move.to] = left[move.from]
    left[move.from] = nil
  }
  for update in difference.updates where result[update.to] == nil { left[update.from] = new[update.to] }
  var staying = left.compactMap(\.self).makeIterator()
  let filled = result.map { $0 ?? staying.next() }
  return staying.next() == nil ? filled.compactMap(\.self) : nil
}

/// The length of the longest ascending subsequence, found the slow way.
public func longestAscending(_ list: [Int]) -> Int {
  var lengths: [Int] = []
  for (index, value) in list.enumerated() {
    var longest = 0
    for earlier in 0..<index where list[earlier] < value { longest = max(longest, lengths[earlier]) }
    lengths.append(longest + 1)
  }
  return lengths.max() ?? 0
}
