import Experiments

/// The numbers of a block: one line per policy, the best by the metric that decides first. Of a sweep only the settings
/// that matter are open; the others, and those that a race dropped, are folded.
struct SummaryTable {
  /// More settings are folded.
  private static let open = 12
  private let contents: ReportContents
  private let rows: [LabRow]
  private let caption: String

  init(_ rows: [LabRow], _ contents: ReportContents, caption: String) {
    self.contents = contents
    self.caption = caption
    let primary = contents.primary
    func rank(_ row: LabRow) -> (Int, Double, Double) {
      let mean = row.mean(primary)
      return (
        row.isOracle ? 1 : row.isMeasured ? 0 : 2, primary.isBetterWhenLess ? mean : -mean, row.mean(.waste)
      )
    }
    self.rows = rows.enumerated().sorted { one, other in
      let (a, b) = (rank(one.element), rank(other.element))
      return a == b ? one.offset < other.offset : a < b
    }.map(\.element)
  }

  func write(_ markup: inout Markup) {
    let dropped = rows.filter(\.isDropped)
    let whole = rows.filter { !$0.isDropped || isBaseline($0) }
    let shown = whole.count > Self.open ? whole.filter(isOpen) : whole
    let rest = whole.count - shown.count
    let note = rest > 0 ? "; \(shown.count) of \(whole.count) settings, the others are folded below" : ""
    table(shown, caption: caption + note).write(&markup)
    if rest > 0 { fold("All \(whole.count) settings, by \(contents.primary.name)", whole, &markup) }
    if !dropped.isEmpty {
      let settings = dropped.count == 1 ? "One setting" : "\(dropped.count) settings"
      fold(
        "\(settings) dropped by the race: means of their first sessions only", dropped, &markup)
    }
  }

  /// The baseline, what may be the best, the front, what failed, the oracles, and policies that were not swept.
  private func isOpen(_ row: LabRow) -> Bool {
    if row.isOracle || !row.isMeasured || isBaseline(row) || row.setting.parameters.isEmpty { return true }
    let important = rows.filter { $0.mayBeBest || $0.isOnFront }
    return important.prefix(Self.open).contains { $0.setting == row.setting }
  }

  private func fold(_ summary: String, _ rows: [LabRow], _ markup: inout Markup) {
    markup.within("details", ["class": "settings"]) { details in
      details.element("summary", [:], summary)
      table(rows, caption: summary).write(&details)
    }
    markup.line()
  }

  /// The columns; a metric that is zero in every row is left out.
  private var metrics: [Metric] {
    let measured = rows.filter(\.isMeasured)
    return contents.metrics.filter { metric in measured.contains { $0.mean(metric) != 0 } }
  }

  private func table(_ rows: [LabRow], caption: String) -> DataTable {
    let primary = contents.primary
    let limit = self.rows.compactMap { $0.isMeasured ? $0.summaries[primary]?.p95 : nil }.max() ?? 0
    let titles =
      ["policy", "verdict", primary.title, "p95", "worst"] + metrics.map(\.title)
      + ["0 to \(ReportNumber.short(limit, primary.digits))"]
    return DataTable(
      caption: caption, titles: titles,
      rows: rows.map { row in
        row.isMeasured
          ? cells(row, limit: limit)
          : [
            name(row),
            .init(
              "failed: " + (row.failure.map { "\($0)" } ?? "not run"), look: "worse", span: titles.count - 1),
          ]
      }, isSummary: true)
  }

  private func name(_ row: LabRow) -> DataTable.Cell {
    let notes = [
      (row.isOracle, "oracle"), (row.isDropped, "dropped after \(row.sessions) sessions"),
      (isBaseline(row), "baseline"),
    ].filter(\.0).map(\.1)
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
      name(row), verdict(row),
      DataTable.Cell(row.meanText(primary), key: summary.mean, look: look(row, primary)),
      .number(summary.p95, primary.digits), .number(summary.worst, primary.digits),
    ]
    for metric in metrics {
      cells.append(.number(row.mean(metric), metric.digits, look: look(row, metric)))
    }
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

  private func verdict(_ row: LabRow) -> DataTable.Cell {
    guard let judgement = Judgement(row, contents.primary, contents) else {
      return .init(isBaseline(row) ? "baseline" : row.isOracle ? "no policy" : ReportNumber.none)
    }
    return .init(
      "\(judgement.sign) \(judgement.words)", key: judgement.mean, look: "verdict " + judgement.look,
      note: judgement.amount)
  }
}

extension String {
  /// With spaces that browsers do not collapse.
  var blanksKept: String { String(map { $0 == " " ? "\u{2007}" : $0 }) }
}
