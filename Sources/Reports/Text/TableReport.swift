public import Experiments
import Text

/// The result as text tables: one row per policy, one table per source, workload and network.
public struct TableReport {
  /// How the tables look.
  public struct Options: Sendable {
    /// Whether the best cell of a column may be bold.
    public var usesColour = false
    /// Columns of the terminal; dropped columns are named. Nil is no limit.
    public var width: Int?
    /// A name of `TableReport.columns`; nil keeps the order of the experiment.
    public var sort: String?

    public init() {}
  }

  /// Names that a table can be sorted by: `policy`, every metric, `p95`, `worst` and `difference`.
  public static let columns = ["policy"] + Metric.allCases.map(\.rawValue) + ["p95", "worst", "difference"]

  private let contents: ReportContents
  private let options: Options

  public init(_ result: LabResult, _ options: Options = Options()) {
    contents = ReportContents(result)
    self.options = options
  }

  /// The whole text, ending in a newline.
  public var text: String {
    let result = contents.result
    var parts = [line("\(result.title): \(result.sessions) sessions a row, seed \(result.seed)")]
    for block in contents.blocks {
      if block.splits.isEmpty {
        parts.append(table(block, block.rows, block.title))
      } else {
        for split in block.splits {
          parts.append(table(block, split.rows, "\(block.title), \(split.part.rawValue)"))
        }
      }
    }
    parts.append(closing)
    return parts.joined(separator: "\n")
  }

  private func table(_ block: ReportBlock, _ rows: [LabRow], _ title: String) -> String {
    let columns = TableColumn.all([contents.primary] + contents.metrics, rows: rows, contents)
    let sorted = sort(rows, columns)
    let lines = sorted.map { row in columns.map { row.isMeasured || $0.isName ? $0.text(row) : "" } }
    let bold = columns.map { column in options.usesColour ? column.best(sorted) : [] }
    var table = TextTable(
      columns.map(\.title), rows: lines, alignments: columns.map { $0.isLeft ? .left : .right }, bold: bold)
    let left = options.width.map { table.fit($0, dropping: columns.map(\.rank)) } ?? []
    var text = line(title) + table.text
    for row in sorted where !row.isMeasured {
      text += line(
        "\(row.setting.policyTitle): failed: \(row.failure.map { "\($0)" } ?? "no session was run")")
    }
    if let knee = rows.first(where: \.isKnee) {
      text += "\nknee of stall against waste: \(knee.setting.policyTitle)\n"
    }
    text += hypervolumes(rows)
    if !left.isEmpty { text += line("not shown for want of width: \(left.joined(separator: ", "))") }
    return text
  }

  /// The hypervolumes of policies with several settings.
  private func hypervolumes(_ rows: [LabRow]) -> String {
    let areas = FrontArea.all(of: rows)
    guard !areas.isEmpty else { return "" }
    let parts = areas.map { "\($0.title) \(ReportNumber.fixed(100 * $0.part, 1)) %" }
    return "\n\(FrontArea.caption):\n" + line("  \(parts.joined(separator: ", "))")
  }

  /// One line; names and errors may contain anything.
  private func line(_ text: String) -> String { HarmlessText.line(text) + "\n" }

  /// Rows without numbers come last.
  private func sort(_ rows: [LabRow], _ columns: [TableColumn]) -> [LabRow] {
    guard let name = options.sort else { return rows }
    let all = columns + TableColumn.all(Metric.allCases, rows: rows, contents)
    guard let column = all.first(where: { $0.name == name }) else { return rows }
    let measured = rows.filter(\.isMeasured)
    let order = measured.enumerated().sorted { one, other in
      let isLess =
        column.isName
        ? (
          one.element.setting.policyTitle < other.element.setting.policyTitle,
          one.element.setting.policyTitle > other.element.setting.policyTitle
        )
        : (
          column.key(one.element) < column.key(other.element),
          column.key(one.element) > column.key(other.element)
        )
      return isLess.0 || !isLess.1 && one.offset < other.offset
    }
    return order.map(\.element) + rows.filter { !$0.isMeasured }
  }

  /// What the marks mean, and the finding.
  private var closing: String {
    let rows = contents.result.rows
    var lines: [String] = []
    let oracles = rows.filter(\.isOracle)
    if !oracles.isEmpty {
      let isBound = oracles.allSatisfy(\.isBound)
      lines.append(
        "* knows the future"
          + (isBound ? ": a bound, no policy" : " and is no policy: a bound where its regret is 0"))
    }
    if rows.contains(where: \.isDropped) {
      lines.append("xN dropped by the race after N sessions: means of these, a comparison with the same ones")
    }
    if let failed = contents.result.failedBaseline {
      lines.append(
        "\(failed) was to be the baseline and failed: compared with \(contents.result.baseline) instead")
    }
    if !rows.contains(where: \.hasInterval), let sessions = rows.map(\.sessions).max(), sessions > 0 {
      lines.append(
        "no intervals: \(sessions == 1 ? "one session says" : "two sessions say") nothing about the spread")
    }
    lines += contents.result.remarks
    let finding = Finding(contents)
    if !finding.choice.isEmpty { lines.append(finding.choice) }
    lines.append(finding.headline)
    if contents.blocks.count > 1 {
      lines += contents.blocks.map { "  \($0.title): \(Finding($0, contents).headline)" }
    }
    return lines.map(line).joined()
  }
}
