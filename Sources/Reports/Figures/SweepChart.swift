import Experiments

/// A metric along a swept parameter, with the intervals as a band.
struct SweepChart {
  private static let drawn = 8
  private let parameter: String
  private let metric: Metric
  private let series: [SweepSeries]
  private let plot: Plot

  /// Nil if the parameter has less than two values.
  init?(_ block: ReportBlock, parameter: String, metric: Metric) {
    series = SweepSeries.all(block.policies, along: parameter)
    guard !series.isEmpty else { return nil }
    self.parameter = parameter
    self.metric = metric
    let values = series.flatMap { $0.rows.map(\.value) }
    let means = series.flatMap { series in
      series.rows.flatMap { [metric] entry -> [Double] in
        let summary = entry.row.summaries[metric] ?? MetricSummary()
        return [max(0, summary.low), summary.mean, summary.high]
      }
    }
    let isLong = Set(values).count > 2
    plot = Plot(
      horizontal: Axis(values, title: parameter, fromZero: false, logarithmicFrom: isLong ? 15 : nil),
      vertical: Axis(means, title: metric.axisTitle, logarithmicFrom: 30))
  }

  var figure: Figure {
    let more =
      series.count > Self.drawn
      ? " \(Self.drawn) of \(series.count) series are drawn, the table has all." : ""
    return Figure(
      title: "\(metric.name.prefix(1).uppercased() + metric.name.dropFirst()) along \(parameter)",
      aid:
        "One line for each policy, at the values that were tried; the band is the 95 % interval of the mean.\(more)",
      table: table, picture: draw)
  }

  private func draw(_ markup: inout Markup) {
    let shown = Array(series.prefix(Self.drawn).enumerated())
    plot.draw(&markup, label: "\(metric.name) along \(parameter)") { svg in
      for (place, series) in shown { band(series, SeriesMark(number: place, isOracle: false), &svg) }
      for (place, series) in shown { line(series, SeriesMark(number: place, isOracle: false), &svg) }
    }
    Legend(entries: shown.map { ($0.element.title, SeriesMark(number: $0.offset, isOracle: false)) }).write(
      &markup)
  }

  private func point(_ value: Double, _ mean: Double) -> String {
    "\(length(plot.x(value))) \(length(plot.y(mean)))"
  }

  private func band(_ series: SweepSeries, _ mark: SeriesMark, _ svg: inout Markup) {
    let summaries = series.rows.map {
      (value: $0.value, summary: $0.row.summaries[metric] ?? MetricSummary())
    }
    let upper = summaries.map { point($0.value, $0.summary.high) }
    let lower = summaries.reversed().map { point($0.value, $0.summary.low) }
    svg.element(
      "path", ["class": "band \(mark.colour)", "d": "M" + (upper + lower).joined(separator: "L") + "Z"])
  }

  private func line(_ series: SweepSeries, _ mark: SeriesMark, _ svg: inout Markup) {
    svg.within("g", ["class": "s"]) { group in
      let points = series.rows.map { point($0.value, $0.row.mean(metric)) }
      group.element(
        "path",
        [
          "class": "line \(mark.colour)", "stroke-dasharray": mark.dash,
          "d": "M" + points.joined(separator: "L"),
        ])
      for (value, row) in series.rows {
        group.within(
          "path",
          [
            "class": "point \(mark.colour)",
            "d": mark.path(x: plot.x(value), y: plot.y(row.mean(metric)), size: 4),
          ]
        ) { $0.element("title", [:], "\(row.setting.policyTitle): \(row.meanText(metric))") }
      }
    }
  }

  private var table: DataTable {
    DataTable(
      caption: "\(metric.title) along \(parameter)", titles: ["policy", parameter, metric.title, "±"],
      rows: series.flatMap { series in
        series.rows.map { entry in
          let summary = entry.row.summaries[metric] ?? MetricSummary()
          return [
            .init(series.title), .init(ReportNumber.short(entry.value, 6), key: entry.value),
            .number(summary.mean, metric.digits), .number(entry.row.halfWidth(metric), metric.digits),
          ]
        }
      })
  }
}
