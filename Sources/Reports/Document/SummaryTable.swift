import Experiments

/// The numbers of a block, one line per policy.
struct SummaryTable {
  private let contents: ReportContents
  private let rows: [LabRow]
  private let caption: String

  init(_ rows: [LabRow], _ contents: ReportContents, caption: String) {
    self.contents = contents
    self.rows = rows
    self.caption = caption
  }

  private var metrics: [Metric] {
    [contents.primary]
      + [.stall, .stalls, .regret, .requests, .waste, .held].filter { $0 != contents.primary }
  }

  var table: DataTable {
    let primary = contents.primary
    var titles = ["policy", primary.title, "p95", "worst"] + metrics.dropFirst().map(\.title)
    let limit = rows.compactMap { $0.isMeasured ? $0.summaries[primary]?.p95 : nil }.max() ?? 0
    titles += ["against the baseline", "verdict", "0 to \(ReportNumber.short(limit, primary.digits))"]
    return DataTable(
      caption: caption, titles: titles,
      rows: rows.map { row in
        row.isMeasured
          ? cells(row, limit: limit)
          : [name(row), .init("failed: " + (row.failure.map { "\($0)" } ?? "not run"))]
      })
  }

  private func name(_ row: LabRow) -> DataTable.Cell {
    let notes = [
      (row.isOracle, "oracle"), (row.isDropped, "dropped after \(row.sessions) sessions"),
      (isBaseline(row), "baseline"),
    ].filter(
      \.0
    ).map(\.1)
    let title = row.setting.policyTitle
    let note = notes.filter { $0 != title }.joined(separator: ", ")
    return DataTable.Cell(
      note.isEmpty ? title : "\(title) (\(note))", mark: SeriesMark(row.setting.policyTitle, in: contents))
  }

  private func isBaseline(_ row: LabRow) -> Bool {
    row.setting.policyTitle == contents.result.baseline && !row.isOracle
  }

  private func cells(_ row: LabRow, limit: Double) -> [DataTable.Cell] {
    let primary = contents.primary
    let summary = row.summaries[primary] ?? MetricSummary()
    var cells = [
      name(row), DataTable.Cell(row.meanText(primary), key: summary.mean, look: look(row, primary)),
      .number(summary.p95, primary.digits), .number(summary.worst, primary.digits),
    ]
    for metric in metrics.dropFirst() {
      cells.append(.number(row.mean(metric), metric.digits, look: look(row, metric)))
    }
    cells += comparison(row)
    cells.append(
      DataTable.Cell(Sparkline.text(row.scores.map { $0[primary] }, upTo: limit).blanksKept, look: "spark"))
    return cells
  }

  /// Highlights the best of a column, excluding oracles.
  private func look(_ row: LabRow, _ metric: Metric) -> String {
    let means = rows.filter(\.isComparable).map { $0.mean(metric) }
    guard let least = means.min(), let most = means.max(), least < most, row.isComparable else { return "" }
    return row.mean(metric) == (metric.isBetterWhenLess ? least : most) ? "best" : ""
  }

  private func comparison(_ row: LabRow) -> [DataTable.Cell] {
    guard let judgement = Judgement(row, contents.primary, contents) else {
      return [.init(isBaseline(row) ? "baseline" : ReportNumber.none), .init("")]
    }
    return [
      .init(judgement.amount, key: judgement.mean),
      .init("\(judgement.sign) \(judgement.words)", look: judgement.look),
    ]
  }
}

extension String {
  /// With spaces that browsers do not collapse.
  var blanksKept: String { String(map { $0 == " " ? "\u{2007}" : $0 }) }
}
