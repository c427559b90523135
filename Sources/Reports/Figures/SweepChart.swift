import Experiments

/// The paired difference to the baseline along a swept parameter: every value has met the same sessions, so its
/// difference is known better than its mean. Without a baseline to compare with, the means.
struct SweepChart {
  private static let drawn = 8
  private let parameter: String
  private let metric: Metric
  private let series: [SweepSeries]
  private let contents: ReportContents
  /// Whether differences are drawn.
  private let isPaired: Bool
  private let plot: Plot

  /// Nil if the parameter has less than two values.
  init?(_ block: ReportBlock, _ contents: ReportContents, parameter: String, metric: Metric) {
    let series = SweepSeries.all(block.policies, along: parameter)
    guard !series.isEmpty else { return nil }
    self.series = series
    self.contents = contents
    self.parameter = parameter
    self.metric = metric
    let rows = series.flatMap { $0.rows.map(\.row) }
    let isPaired = rows.contains { $0.comparisons[metric] != nil }
    self.isPaired = isPaired
    let values = series.flatMap { $0.rows.map(\.value) }
    let points = rows.compactMap { Self.point($0, metric, contents, isPaired: isPaired) }
    let isLong = Set(values).count > 2
    let title = isPaired ? "\(metric.name) minus the baseline's, \(metric.rate)" : metric.axisTitle
    plot = Plot(
      horizontal: Axis(values, title: parameter, fromZero: false, logarithmicFrom: isLong ? 15 : nil),
      vertical: Axis.telling(
        points.map(\.mean) + (isPaired ? [0] : []), ends: points.flatMap { [$0.low, $0.high] }, title: title,
        fromZero: !isPaired))
  }

  /// What is drawn of a row: the baseline differs by nothing from itself.
  private static func point(
    _ row: LabRow, _ metric: Metric, _ contents: ReportContents, isPaired: Bool
  ) -> (mean: Double, low: Double, high: Double)? {
    guard isPaired else {
      let mean = row.mean(metric)
      return row.isDropped ? nil : (mean, mean, mean)
    }
    if row.setting.policyTitle == contents.result.baseline { return (0, 0, 0) }
    return Judgement(row, metric, contents).map { judgement in
      judgement.hasInterval
        ? (judgement.mean, judgement.low, judgement.high) : (judgement.mean, judgement.mean, judgement.mean)
    }
  }

  var figure: Figure {
    let more =
      series.count > Self.drawn
      ? " \(Self.drawn) of \(series.count) series are drawn, the table has all." : ""
    let baseline = contents.result.baseline
    let better = metric.isBetterWhenLess ? "Below" : "Above"
    let aid =
      isPaired
      ? "\(better) the line at zero a value is better than \(baseline), session by session; an interval that crosses the line "
        + "is not resolved. The intervals hold for all values at once."
      : "One line for each policy, at the values that were tried."
    return Figure(
      title: "\(metric.name.prefix(1).uppercased() + metric.name.dropFirst()) along \(parameter)",
      aid: aid + plot.words + more, table: table, picture: draw)
  }

  private func draw(_ markup: inout Markup) {
    let shown = Array(series.prefix(Self.drawn).enumerated())
    plot.draw(
      &markup, label: "\(isPaired ? "Paired differences in " : "")\(metric.name) along \(parameter)"
    ) { svg in
      if isPaired {
        let y = length(plot.y(0))
        svg.element(
          "line",
          ["class": "zero", "x1": length(plot.left), "y1": y, "x2": length(plot.width - plot.right), "y2": y])
      }
      for (place, series) in shown {
        line(series, SeriesMark(number: place, isOracle: false), shift: shift(place, of: shown.count), &svg)
      }
    }
    Legend(entries: shown.map { ($0.element.title, SeriesMark(number: $0.offset, isOracle: false)) }).write(
      &markup)
  }

  /// Series side by side, so that their intervals do not cover each other.
  private func shift(_ place: Int, of count: Int) -> Double { 4 * (Double(place) - Double(count - 1) / 2) }

  private func line(_ series: SweepSeries, _ mark: SeriesMark, shift: Double, _ svg: inout Markup) {
    svg.within("g", ["class": "s"]) { group in
      let points = series.rows.compactMap { entry in
        Self.point(entry.row, metric, contents, isPaired: isPaired).map {
          (x: plot.x(entry.value) + shift, row: entry.row, point: $0)
        }
      }
      guard !points.isEmpty else { return }
      let path = points.map { "\(length($0.x)) \(length(plot.y($0.point.mean)))" }
      group.element(
        "path",
        [
          "class": "line thin \(mark.colour)", "stroke-dasharray": mark.dash,
          "d": "M" + path.joined(separator: "L"),
        ])
      for (x, row, point) in points {
        if point.high > point.low {
          group.element(
            "path",
            [
              "class": "line \(mark.colour)",
              "d": "M\(length(x)) \(length(plot.y(point.low)))V\(length(plot.y(point.high)))",
            ])
        }
        group.within(
          "path",
          [
            "class": "point \(mark.colour)",
            "d": mark.path(x: x, y: plot.y(point.mean), size: 4),
          ]
        ) { $0.element("title", [:], words(row)) }
      }
    }
  }

  private func words(_ row: LabRow) -> String {
    let difference = Judgement(row, metric, contents).map { ", \($0.text)" }
    return "\(row.setting.policyTitle): \(row.meanText(metric))" + (difference ?? "")
  }

  private var table: DataTable {
    DataTable(
      caption: "\(metric.title) along \(parameter), and its difference to \(contents.result.baseline)",
      titles: ["policy", parameter, metric.title, "verdict", "difference", "from", "to"],
      rows: series.flatMap { series in
        series.rows.map { entry in
          let judgement = Judgement(entry.row, metric, contents)
          func number(_ value: Double?) -> DataTable.Cell {
            value.map { .number($0, metric.digits) } ?? .init(ReportNumber.none)
          }
          let isWhole = judgement?.hasInterval ?? false
          let isBaseline = entry.row.setting.policyTitle == contents.result.baseline
          return [
            .init(series.title), .init(ReportNumber.short(entry.value, 6), key: entry.value),
            .number(entry.row.mean(metric), metric.digits),
            .init(
              judgement.map { "\($0.sign) \($0.words)" } ?? (isBaseline ? "baseline" : ReportNumber.none),
              look: judgement?.look ?? ""),
            number(judgement?.mean), number(isWhole ? judgement?.low : nil),
            number(isWhole ? judgement?.high : nil),
          ]
        }
      })
  }
}
