import TestSupport
import Items

/// Two lists of names that know nothing of each other; a name may be there more than once.
struct ListThrash: CustomStringConvertible {
  var old: [Int]
  var new: [Int]

  var description: String { "\(old) to \(new)" }

  /// Names from a small or a large stock, and of the new list some in the order of the old one.
  init(_ dice: inout Dice) {
    let stock = Bool.random(using: &dice) ? 6 : 60
    old = ListThrash.names(of: stock, &dice)
    new = Bool.random(using: &dice) ? old : ListThrash.names(of: stock, &dice)
    for _ in 0..<Int.random(in: 0...4, using: &dice) where !new.isEmpty {
      let from = Int.random(in: 0..<new.count, using: &dice)
      let to = Int.random(in: 0..<new.count, using: &dice)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: new.remove(at: from)
      case 1: new.insert(Int.random(in: 0..<stock, using: &dice), at: from)
      case 2: new.insert(new.remove(at: from), at: to)
      default: new[min(from, to)...max(from, to)].reverse()
      }
    }
  }

  private static func names(of stock: Int, _ dice: inout Dice) -> [Int] {
    (0..<Int.random(in: 0...24, using: &dice)).map { _ in Int.random(in: 0..<stock, using: &dice) }
  }

  /// What is wrong with the difference by number and by text; nil when nothing is.
  func fault() -> String? {
    let difference = new.difference(from: old, id: { $0 })
    if new.difference(from: old, id: { "a name that is no short text: \($0)" }) != difference {
      return "texts differ otherwise than numbers"
    }
    if rebuild(old, difference, new) != new { return "rebuilding by \(difference)" }
    var data = [old]
    difference.pathChanges(oldCount: old.count, newCount: new.count).apply(to: &data) { new[$0.item] }
    if data != [new] { return "applying \(difference) gives \(data)" }
    let map = difference.indexMap(oldCount: old.count)
    let kept = new.indices.compactMap { map.old($0) }
    if kept.count != common { return "\(kept.count) of \(common) common names are kept" }
    let fewest = kept.count - longestAscending(kept)
    return difference.moves.count == fewest
      ? nil : "\(difference.moves.count) moves, \(fewest) are enough"
  }

  /// Names of both lists, each as often as both have it.
  private var common: Int {
    var left = old
    return new.count { name in left.firstIndex(of: name).map { left.remove(at: $0) } != nil }
  }

  /// The smallest lists found that still fail: names are left out one after another.
  func shrunk() -> ListThrash {
    for (part, index) in [\ListThrash.old, \.new].flatMap({ part in
      self[keyPath: part].indices.map { (part, $0) }
    }) {
      var smaller = self
      smaller[keyPath: part].remove(at: index)
      if smaller.fault() != nil { return smaller.shrunk() }
    }
    return self
  }
}
