import Items

/// What it costs to append a page of 100 to short and to long sets: no more to long ones.
enum Appending {
  static func print() {
    Swift.print(["append of 100", "to", "µs/page"].joined(separator: "\t"))
    for count in [1000, 1_000_000] {
      row("item set", count, itemSet(count))
      row("change set, applied to what is visible", count, changeSet(count))
      row("data controller, until visible", count, controller(count))
    }
  }

  private static let pages = 101

  private static func row(_ name: String, _ count: Int, _ nanoseconds: Double) {
    Swift.print(name, count, (nanoseconds / 100).rounded() / 10, separator: "\t")
  }

  /// The page that begins at a number.
  private static func page(_ start: Int, _ count: Int = 100) -> [Item] {
    (start..<start + count).map { Item(id: .integer(Int64($0)), bytes: .empty) }
  }

  private static func itemSet(_ count: Int) -> Double {
    var set = ItemSet()
    _ = set.append(page(0, count))
    return median { number in
      let page = page(count + number * 100)
      return Measurement.time { _ = set.append(page) }
    }
  }

  private static func changeSet(_ count: Int) -> Double {
    var set = ItemSet()
    _ = set.append(page(0, count))
    var visible = [page(0, count)]
    let time = median { number in
      let page = page(count + number * 100)
      let changes = set.append(page).changeSet
      return Measurement.time {
        do { try changes.apply(to: &visible) } catch { fatalError("\(error)") }
      }
    }
    precondition(visible[0].count == set.count, "\(visible[0].count) of \(set.count) items are visible")
    return time
  }

  private static func controller(_ count: Int) -> Double {
    var reader = NumberReader()
    reader.append(count)
    reader.append(100)
    let time = median { _ in Measurement.time { reader.append(100) } }
    precondition(reader.isComplete, "not all is visible")
    return time
  }

  private static func median(_ time: (Int) -> Double) -> Double {
    let times = (0..<pages).map(time).sorted()
    return times[pages / 2]
  }
}
