import TestSupport
import Items

/// A refresh: two states that know nothing of how one became the other.
struct RefreshThrash {
  let old: [[Element]]
  let new: [[Element]]

  /// What is wrong with the difference of lists, and on a thorough look of sections by place or by name.
  func fault(isThorough: Bool = true) -> String? {
    if let fault = listFault() { return fault }
    guard isThorough else { return nil }
    return sectionFault(named: old.joined().count.isMultiple(of: 2) ? { $0 } : { $0 * 7 % 5 })
  }

  private func listFault() -> String? {
    let old = Array(self.old.joined())
    let new = Array(self.new.joined())
    let difference = new.difference(
      from: old, id: { $0.number }, isContentEqual: { $0.form == $1.form })
    let numbers = rebuild(old, difference, new).map { $0.map { $0.number } }
    if numbers != new.map({ $0.number }) { return "rebuilding by \(difference)" }
    var data = [old]
    difference.pathChanges(oldCount: old.count, newCount: new.count).apply(to: &data) { new[$0.item] }
    if data != [new] { return "applying \(difference) gives \(data)" }

    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.number, $0) })
    let kept = new.compactMap { places[$0.number] }
    let fewest = kept.count - longestAscending(kept)
    if difference.moves.count != fewest { return "\(difference.moves.count) moves, \(fewest) are enough" }
    let updates = new.count { element in places[element.number].map { old[$0] != element } ?? false }
    return difference.updates.count == updates ? nil : "\(difference.updates) of \(updates) updates"
  }

  private func sectionFault(named name: (Int) -> Int) -> String? {
    let before = old.enumerated().map { ListSection(id: $0, elements: $1) }
    let after = new.enumerated().map { ListSection(id: name($0), elements: $1) }
    let changes = after.difference(
      from: before, id: { $0.number }, isContentEqual: { $0.form == $1.form })
    var data = old
    changes.apply(to: &data) { new[$0.section][$0.item] }
    if data != new { return "applying \(changes) gives \(data)" }
    let fresh = Set(changes.insertions.map { new[$0.path.section][$0.path.item].number })
    let gone = Set(changes.deletions.map { old[$0.path.section][$0.path.item].number })
    return fresh.isDisjoint(with: gone) ? nil : "\(fresh.intersection(gone)) went and came instead of moving"
  }
}
