import Experiments

/// For every waiting time, the share of sessions that waited no longer: the whole distribution, not only its mean.
struct ECDFChart {
  private static let drawn = 10
  private let rows: [LabRow]
  private let contents: ReportContents
  private let metric: Metric
  private let plot: Plot
  /// Sessions beyond the right end.
  private let beyond: Int

  init(_ block: ReportBlock, _ contents: ReportContents) {
    rows = block.measured.filter { !$0.scores.isEmpty && !$0.isDropped }
    self.contents = contents
    metric = contents.primary
    let values = rows.map { [metric] row in row.scores.map { $0[metric] }.sorted() }
    let ends = values.map { $0[min($0.count - 1, $0.count * 99 / 100)] }
    let end = ends.max() ?? 0
    beyond = values.reduce(0) { $0 + $1.count { $0 > end } }
    plot = Plot(
      horizontal: Axis(
        ends + [values.compactMap(\.first).min() ?? 0], title: contents.primary.axisTitle, logarithmicFrom: 15
      ),
      vertical: Axis([0, 100], title: "sessions, %"))
  }

  var figure: Figure {
    let tail =
      beyond > 0 ? " The axis ends where 99 % of every policy's sessions are; the worst is in the table." : ""
    return Figure(
      title: "Distribution over the sessions",
      aid: "The higher a line, the more sessions got away with at most that \(metric.name).\(tail)",
      table: table, picture: draw)
  }

  /// The baseline, the oracles and the best are highlighted, the others are thin grey lines.
  private var prominent: Set<String> {
    let ranked = rows.sorted { rank($0) < rank($1) }
    return Set(ranked.prefix(Self.drawn).map(\.setting.policyTitle))
  }

  private func rank(_ row: LabRow) -> Double {
    row.setting.policyTitle == contents.result.baseline
      ? -.infinity : row.isOracle ? -1e300 : metric.isBetterWhenLess ? row.mean(metric) : -row.mean(metric)
  }

  private func draw(_ markup: inout Markup) {
    let prominent = prominent
    plot.draw(&markup, label: "Distribution of the \(metric.name) of the sessions, one line for each policy")
    { svg in
      for row in rows.sorted(by: { rank($0) > rank($1) }) {
        let mark = SeriesMark(row.setting.policyTitle, in: contents)
        let isProminent = prominent.contains(row.setting.policyTitle)
        svg.within("g", ["class": "s", "data-p": "\(mark.number)"]) { group in
          let values = row.scores.map { $0[metric] }.sorted()
          group.within(
            "path",
            [
              "class": isProminent ? "line \(mark.colour)" : "line faint", "stroke-dasharray": mark.dash,
              "d": path(values),
            ]
          ) {
            $0.element("title", [:], title(row))
          }
          guard isProminent else { return }
          let part = 0.25 + 0.5 * Double(mark.number % 5) / 5
          let value = values[min(values.count - 1, Int(part * Double(values.count)))]
          if value <= plot.horizontal.high {
            group.element(
              "path",
              [
                "class": "point \(mark.colour)",
                "d": mark.path(x: plot.x(value), y: plot.y(100 * share(values, value)), size: 4),
              ])
          }
        }
      }
    }
    Legend(
      entries: rows.filter { prominent.contains($0.setting.policyTitle) }.map {
        ($0.setting.policyTitle, SeriesMark($0.setting.policyTitle, in: contents))
      }
    )
    .write(&markup)
  }

  private func share(_ sorted: [Double], _ value: Double) -> Double {
    Double(sorted.count { $0 <= value }) / Double(sorted.count)
  }

  /// Steps, at most one per unit of the picture.
  private func path(_ sorted: [Double]) -> String {
    var path = "M\(length(plot.left)) \(length(plot.y(0)))"
    var (column, height) = (plot.left, plot.y(0))
    for (place, value) in sorted.enumerated() where value <= plot.horizontal.high {
      let isLast = place == sorted.count - 1 || sorted[place + 1] > plot.horizontal.high
      let next = isLast ? .infinity : plot.x(sorted[place + 1])
      let x = plot.x(value).rounded()
      if next.rounded() == x { continue }
      height = plot.y(100 * Double(place + 1) / Double(sorted.count))
      path += x == column ? "V\(length(height))" : "H\(length(x))V\(length(height))"
      column = x
    }
    return path + "H\(length(plot.width - plot.right))"
  }

  private func title(_ row: LabRow) -> String {
    let summary = row.summaries[metric] ?? MetricSummary()
    let texts = [summary.p50, summary.p95, summary.worst].map { ReportNumber.fixed($0, metric.digits) }
    return
      "\(row.setting.policyTitle): half of the sessions at most \(texts[0]), 95 % at most \(texts[1]), worst \(texts[2])"
  }

  private var table: DataTable {
    let parts = [10, 25, 50, 75, 90, 95, 99]
    return DataTable(
      caption: "quantiles of \(metric.title) over the sessions",
      titles: ["policy"] + parts.map { "\($0) %" } + ["worst"],
      rows: rows.map { row in
        let values = row.scores.map { $0[metric] }.sorted()
        let quantiles = parts.map { part -> DataTable.Cell in
          let place = max(0, (part * values.count + 99) / 100 - 1)
          return .number(values[min(place, values.count - 1)], metric.digits)
        }
        return [.init(row.setting.policyTitle, mark: SeriesMark(row.setting.policyTitle, in: contents))]
          + quantiles
          + [.number(values[values.count - 1], metric.digits)]
      })
  }
}
