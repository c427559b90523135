import TestSupport
import Items
import Listing

/// One round of the thrash test: what a plan has to fulfil, whatever it is.
struct Thrash {
  let plan: Plan
  let new: [[Element]]

  init?(_ plan: Plan) {
    guard let new = plan.new else { return nil }
    self.plan = plan
    self.new = new
  }

  /// What is wrong; nil when nothing is. Only a thorough look takes moves apart and tells wrong counts.
  func fault(isThorough: Bool = true) -> String? {
    do {
      for style in isThorough ? styles : [.real] {
        let changes = try resolve(style)
        if apply(changes) != new { return "applying with \(style) moves gives \(apply(changes))" }
        if let fault = mapFault(changes, style) { return fault }
      }
      var counts = new.map { $0.count }
      guard isThorough, !counts.isEmpty else { return nil }
      counts[0] += 1
      if (try? resolve(.real, counts)) != nil { return wrongCountIsFine ? nil : "a wrong count was accepted" }
    } catch {
      return "\(error)"
    }
    return nil
  }

  /// Submits the plan, nested at random to any depth but always the same way.
  func resolve(_ style: MoveStyle, _ counts: [Int]? = nil) throws(UpdateError) -> PathChanges {
    var update = BatchUpdate(oldCounts: plan.old.map { $0.count }, moves: style)
    var dice = Dice(state: UInt64(plan.operations.count * 8 + plan.old.count))
    for (index, operation) in plan.operations.enumerated() {
      for _ in 0..<dice.next() % 3 { update.begin() }
      try update.submit(operation, animation: index % 2)
      for _ in 0..<dice.next() % 3 where update.isOpen { try update.end() }
    }
    while update.isOpen { try update.end() }
    return try update.complete(newCounts: counts ?? new.map { $0.count })
  }

  func apply(_ changes: PathChanges) -> [[Element]] {
    var data = plan.old
    changes.apply(to: &data) { new[$0.section][$0.item] }
    return data
  }

  /// A split move deletes the section, and then no item of it can be reloaded.
  private var styles: [MoveStyle] {
    var moved: Set<Int> = []
    var reloaded: Set<Int> = []
    for operation in plan.operations {
      if case .moveSection(let from, _) = operation { moved.insert(from) }
      if case .reloadItems(let paths) = operation { reloaded.formUnion(paths.map(\.section)) }
    }
    return moved.isDisjoint(with: reloaded) ? MoveStyle.allCases : [.real]
  }

  /// A section that is new as a whole may have any count.
  private var wrongCountIsFine: Bool {
    guard let changes = try? resolve(.real) else { return false }
    return (changes.insertedSections.flatMap(\.paths)).contains(0)
  }

  /// Maps lead to where elements are, and moved ones are lost only when split.
  private func mapFault(_ changes: PathChanges, _ style: MoveStyle) -> String? {
    let whole = Set(changes.deletedSections.flatMap(\.paths))
    var places: [Int: ItemPath] = [:]
    for (section, elements) in new.enumerated() {
      for (item, element) in elements.enumerated() {
        places[element.number] = ItemPath(section: section, item: item)
      }
    }
    for (section, elements) in plan.old.enumerated() where !whole.contains(section) {
      for (item, element) in elements.enumerated() {
        let old = ItemPath(section: section, item: item)
        let path = changes.newPath(of: old)
        if style == .split, path == nil, hasMoves { continue }
        guard path == places[element.number] else { return "\(element) went to \(String(describing: path))" }
        guard path.map({ changes.oldPath(of: $0) == old }) ?? true else {
          return "\(element) came not from \(old)"
        }
      }
    }
    return nil
  }

  private var hasMoves: Bool {
    plan.operations.contains {
      switch $0 {
      case .moveItem, .moveSection: true
      default: false
      }
    }
  }
}

extension Plan {
  /// The smallest plan found that still fails: operations and old elements are left out one after another.
  func shrunk(where fails: (Plan) -> Bool) -> Plan {
    var smallest = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smallest.smaller where candidate.new != nil && fails(candidate) {
        smallest = candidate
        isSmaller = true
        break
      }
    }
    return smallest
  }

  private var smaller: [Plan] {
    var plans: [Plan] = []
    for index in operations.indices {
      var plan = self
      plan.operations.remove(at: index)
      plans.append(plan)
    }
    for section in old.indices where !old[section].isEmpty {
      var plan = self
      plan.old[section].removeLast()
      plans.append(plan)
    }
    if old.last?.isEmpty == true {
      var plan = self
      plan.old.removeLast()
      plans.append(plan)
    }
    return plans
  }
}
