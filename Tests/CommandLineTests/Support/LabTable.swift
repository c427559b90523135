import Foundation

/// A table of the lab, as text has it: the world above it, and its rows.
struct LabTable {
  /// A policy and the numbers of its row.
  struct Row: Equatable {
    let policy: String
    /// Stall, p95, worst, stalls, regret, requests, waste, held; what comes after them is left out.
    let figures: [String]

    /// Whether it is a bound and no policy.
    var isOracle: Bool { policy.hasSuffix(" *") }

    /// All but the regret, which is counted from the best of all rows.
    var ownFigures: [String] { figures.enumerated().filter { $0.offset != 4 }.map(\.element) }
  }

  let world: String
  var rows: [Row] = []

  /// All tables of a text, in their order.
  static func all(in text: String) -> [LabTable] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var tables: [LabTable] = []
    var isInside = false
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("policy  "), number > 0 {
        tables.append(LabTable(world: lines[number - 1]))
        isInside = true
      } else if line.isEmpty || line.hasPrefix("```") {
        isInside = false
      } else if isInside, !line.hasPrefix("---") {
        tables[tables.count - 1].rows.append(row(line))
      }
    }
    return tables
  }

  /// Columns are two blanks or more apart.
  private static func row(_ line: String) -> Row {
    let cells = line.split(separator: /\s{2,}/).map(String.init)
    return Row(policy: cells.first ?? "", figures: Array(cells.dropFirst().prefix(8)))
  }
}
