import Items
import Listing

/// Two updates, one after the other, and what they are as one and in stages.
struct MergeThrash {
  let first: Thrash
  let second: Thrash

  init?(_ plans: [Plan]) {
    guard plans.count == 2, let first = Thrash(plans[0]), first.new == plans[1].old,
      let second = Thrash(plans[1])
    else { return nil }
    self.first = first
    self.second = second
  }

  /// What is wrong; nil when nothing is.
  func fault() -> String? {
    do {
      let changes = try (first.resolve(.real), second.resolve(.real))
      let merged = changes.0.merged(with: changes.1)
      var data = first.plan.old
      merged.apply(to: &data) { second.new[$0.section][$0.item] }
      if data != second.new { return "the merged changes give \(data): \(merged)" }
      return try changeSetFault(changes.0.changeSet(item: first.item), changes.1.changeSet(item: second.item))
    } catch {
      return "\(error)"
    }
  }

  private func changeSetFault(_ earlier: ChangeSet, _ later: ChangeSet) throws -> String? {
    let old = items(first.plan.old)
    let middle = items(first.new)
    let new = items(second.new)
    var steps = old
    try earlier.apply(to: &steps)
    if steps != middle { return "the first change set gives \(numbers(steps))" }
    try later.apply(to: &steps)
    if steps != new { return "the second change set gives \(numbers(steps))" }

    let merged = try earlier.merged(with: later, counts: old.map(\.count))
    var data = old
    try merged.apply(to: &data)
    if data != new { return "the merged change set gives \(numbers(data))" }
    for (changes, before, after) in [(earlier, old, middle), (merged, old, new)] {
      let stages = try changes.stages(counts: before.map(\.count))
      var data = before
      for stage in stages { try stage.apply(to: &data) }
      if data != after || stages.count > 5 { return "\(stages.count) stages give \(numbers(data))" }
    }
    return nil
  }

  private func items(_ data: [[Element]]) -> [[Item]] { data.map { $0.map(\.item) } }

  private func numbers(_ data: [[Item]]) -> [[String]] {
    data.map { $0.map { "\($0.id).\($0.bytes.string)" } }
  }
}

extension Thrash {
  /// The new item at a place.
  func item(_ path: ItemPath) -> Item { new[path.section][path.item].item }
}

extension Element {
  var item: Item { Item(id: .integer(Int64(number)), bytes: Bytes("\(form)")) }
}
