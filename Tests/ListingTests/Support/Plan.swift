import TestSupport
import Items
import Listing

/// A random update as it was submitted, over old data; small enough to be read and to be shrunk.
struct Plan: CustomStringConvertible {
  /// Elements of each old section, numbered through from 0.
  var old: [[Element]]
  var operations: [BatchOperation] = []
  /// What the data is when an operation of the plan can't be done: nil.
  var new: [[Element]]? { NaiveModel(old).applying(operations) }

  var description: String { "\(old) \(operations)" }

  /// A plan that fits, by dice.
  init(_ dice: inout Dice) {
    old = []
    for _ in 0..<Int.random(in: 0...4, using: &dice) {
      let first = old.joined().count
      old.append((0..<Int.random(in: 0...5, using: &dice)).map { Element(number: first + $0) })
    }
    for _ in 0..<Int.random(in: 0...7, using: &dice) { grow(&dice) }
  }

  /// An update of given data.
  init(from old: [[Element]], _ dice: inout Dice) {
    self.old = old
    for _ in 0..<Int.random(in: 0...7, using: &dice) { grow(&dice) }
  }

  /// Adds an operation, unless it doesn't fit to the others.
  private mutating func grow(_ dice: inout Dice) {
    let oldPath = path(old, &dice)
    let newPath = ItemPath(section: index(5, &dice), item: index(6, &dice))
    let operation: BatchOperation =
      switch Int.random(in: 0..<16, using: &dice) {
      case 0: .insertSections([index(5, &dice)])
      case 1: .deleteSections([index(old.count, &dice)])
      case 2: .reloadSections([index(old.count, &dice)])
      case 3, 4: .moveSection(from: index(old.count, &dice), to: index(5, &dice))
      case 5...7: .insertItems([newPath])
      case 8, 9: .deleteItems([oldPath])
      case 10, 11: .reloadItems([oldPath])
      default: .moveItem(from: oldPath, to: newPath)
      }
    operations.append(operation)
    if new == nil { operations.removeLast() }
  }

  private func path(_ data: [[Element]], _ dice: inout Dice) -> ItemPath {
    let section = index(data.count, &dice)
    let count = data.indices.contains(section) ? data[section].count : 0
    return ItemPath(section: section, item: index(count, &dice))
  }

  private func index(_ count: Int, _ dice: inout Dice) -> Int {
    Int.random(in: 0..<max(1, count), using: &dice)
  }
}
