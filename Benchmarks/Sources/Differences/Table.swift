/// Every change of lists of every length, found by everybody.
struct Table {
  let counts: [Int]
  let contenders: [Contender]
  /// What would take longer, going by the next smaller list and quadratic growth, is skipped.
  private let longest = 40.0

  func print<ID: Key>(_ type: ID.Type) {
    row(["ids", "change", "rows", "who", "ns/row", "peak MiB", "goes", "comes", "moves", "replayed"])
    for change in Change.allCases {
      var seconds: [Contender: Double] = [:]
      for (index, count) in counts.enumerated() {
        let (old, new) = change.lists(count, of: type)
        for contender in contenders {
          let head = [ID.title, change.rawValue, "\(count)", contender.rawValue]
          let growth = index == 0 ? 0 : Double(count) / Double(counts[index - 1])
          let expected = (seconds[contender] ?? 0) * growth * growth
          seconds[contender] = expected
          guard expected < longest else {
            row(head + ["skipped: it would take about \(Int(expected)) s"])
            continue
          }
          let measurement = Measurement { contender.compare(old, new) }
          seconds[contender] = measurement.nanoseconds / 1e9
          row(head + cells(measurement, contender, old, new))
        }
      }
    }
  }

  /// The replay of what takes seconds is left out.
  private func cells<ID: Key>(
    _ measurement: Measurement, _ contender: Contender, _ old: [Row<ID>], _ new: [Row<ID>]
  ) -> [String] {
    let figures = [
      rounded(measurement.nanoseconds / Double(old.count)), measurement.mebibytes.map(rounded) ?? "–",
    ]
    guard measurement.nanoseconds < 5e8 else { return figures + ["–", "–", "–", "–"] }
    let edits = contender.edits(old, new)
    let parts = [edits.deletions.count, edits.insertions.count, edits.moves.count].map { "\($0)" }
    return figures + parts + [edits.turn(old, into: new) ? "yes" : "WRONG"]
  }

  private func rounded(_ value: Double) -> String {
    value < 100 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
  }

  private func row(_ cells: [String]) { Swift.print(cells.joined(separator: "\t")) }
}
