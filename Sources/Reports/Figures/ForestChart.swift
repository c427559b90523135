import Experiments

/// Every policy's paired difference to the baseline with its interval: one that touches zero is not resolved.
struct ForestChart {
  private static let lineHeight = 26.0
  private let rows: [(row: LabRow, judgement: Judgement)]
  private let contents: ReportContents
  private let metric: Metric
  private let plot: Plot

  /// Nil if there is nothing to compare.
  init?(_ block: ReportBlock, _ contents: ReportContents, metric: Metric) {
    rows = block.measured.compactMap { row in Judgement(row, metric, contents).map { (row, $0) } }
    guard !rows.isEmpty else { return nil }
    self.contents = contents
    self.metric = metric
    let ends = Self.ends(rows.map(\.judgement))
    var plot = Plot(
      horizontal: Axis(ends, title: "\(metric.name) minus the baseline's, \(metric.unit)"),
      vertical: Axis([0, 1], title: ""))
    plot.width = 980
    (plot.left, plot.right, plot.top) = (230, 270, 6)
    plot.height = plot.top + plot.bottom + Self.lineHeight * Double(rows.count)
    self.plot = plot
  }

  /// The ends of all intervals; outliers are cut to one side, so that the others remain distinguishable.
  private static func ends(_ judgements: [Judgement]) -> [Double] {
    let sizes = judgements.map { max(abs($0.low), abs($0.high)) }.filter(\.isFinite).sorted()
    guard let most = sizes.last else { return [] }
    let usual = 3 * sizes[sizes.count / 2]
    let limit = usual > 0 && most > 2 * usual ? usual : most
    return judgements.flatMap { [$0.low, $0.high] }.filter(\.isFinite).map { min(limit, max(-limit, $0)) }
  }

  /// Whether a bar ends outside the axis.
  private var isCut: Bool {
    rows.contains { $0.judgement.low < plot.horizontal.low || $0.judgement.high > plot.horizontal.high }
  }

  var figure: Figure {
    let side = metric.isBetterWhenLess ? "left" : "right"
    return Figure(
      title: "Difference in \(metric.name), session by session",
      aid:
        "Every session is compared with the same session under \(contents.result.baseline). A bar that lies wholly "
        + "\(side) of zero is better; one that crosses it is not resolved by this many sessions."
        + (isCut ? " An arrow points at what lies beyond the axis." : ""),
      isWide: true, table: table, picture: draw)
  }

  private func draw(_ markup: inout Markup) {
    let ground = plot.height - plot.bottom
    markup.within(
      "svg",
      [
        "viewBox": "0 0 \(length(plot.width)) \(length(plot.height))", "role": "img", "class": "broad",
        "aria-label":
          "Paired differences in \(metric.name) to \(contents.result.baseline), with 95 % intervals",
      ]
    ) { svg in
      for tick in plot.horizontal.ticks {
        let x = length(plot.x(tick.value))
        let look = abs(tick.value) < 1e-12 ? "zero" : "grid"
        svg.element("line", ["class": look, "x1": x, "y1": length(plot.top), "x2": x, "y2": length(ground)])
        svg.element("text", ["x": x, "y": length(ground + 16), "text-anchor": "middle"], tick.label)
      }
      svg.element(
        "text",
        [
          "class": "unit", "x": length((plot.left + plot.width - plot.right) / 2),
          "y": length(plot.height - 8),
          "text-anchor": "middle",
        ], plot.horizontal.title)
      for (place, entry) in rows.enumerated() {
        line(entry.row, entry.judgement, y: plot.top + Self.lineHeight * (Double(place) + 0.5), &svg)
      }
    }
  }

  private func line(_ row: LabRow, _ judgement: Judgement, y: Double, _ svg: inout Markup) {
    let mark = SeriesMark(row.setting.policyTitle, in: contents)
    let title = row.setting.policyTitle
    let name = title.count > 32 ? title.prefix(31) + "…" : title[...]
    svg.within("g", ["class": "s \(judgement.look)", "data-p": "\(mark.number)"]) { group in
      group.element("title", [:], "\(title): \(judgement.text)")
      group.element("path", ["class": "point \(mark.colour)", "d": mark.path(x: 8, y: y, size: 4.6)])
      group.element("text", ["x": "20", "y": length(y + 4)], String(name))
      if judgement.hasInterval {
        group.element("path", ["class": "interval", "d": interval(judgement, y: y)])
      }
      if judgement.mean >= plot.horizontal.low, judgement.mean <= plot.horizontal.high {
        group.element(
          "path", ["class": "estimate", "d": estimate(judgement.verdict, x: plot.x(judgement.mean), y: y)])
      }
      group.element(
        "text", ["x": length(plot.width - plot.right + 16), "y": length(y + 4)],
        "\(judgement.amount) \(judgement.words)")
    }
  }

  /// A bar with its ends, or with an arrow if it continues beyond the axis.
  private func interval(_ comparison: Judgement, y: Double) -> String {
    let axis = plot.horizontal
    let (low, high) = (plot.x(comparison.low), plot.x(comparison.high))
    func end(_ x: Double) -> String { "M\(length(x)) \(length(y - 4))v8" }
    if comparison.low > axis.high { return "M\(length(high - 14)) \(length(y))h14m-5 -4l5 4l-5 4" }
    if comparison.high < axis.low { return "M\(length(low + 14)) \(length(y))h-14m5 -4l-5 4l5 4" }
    let left = comparison.low < axis.low ? "M\(length(low + 5)) \(length(y - 4))l-5 4l5 4" : end(low)
    let right = comparison.high > axis.high ? "M\(length(high - 5)) \(length(y - 4))l5 4l-5 4" : end(high)
    return left + "M\(length(low)) \(length(y))H\(length(high))" + right
  }

  /// A circle, a square or a hollow diamond, so that the verdict does not depend on colour.
  private func estimate(_ verdict: Judgement.Verdict, x: Double, y: Double) -> String {
    let shape =
      switch verdict {
      case .better: 0
      case .worse: 1
      case .equal, .notResolved: 3
      }
    return SeriesMark(number: shape, isOracle: false).path(x: x, y: y, size: 4.5)
  }

  private var table: DataTable {
    DataTable(
      caption: "\(metric.title) minus the baseline's, with 95 % intervals that hold together",
      titles: ["policy", "verdict", "difference", "from", "to", "pairs"],
      rows: rows.map { row, judgement in
        func end(_ value: Double) -> DataTable.Cell {
          judgement.hasInterval ? .number(value, metric.digits) : .init(ReportNumber.none)
        }
        return [
          .init(row.setting.policyTitle, mark: SeriesMark(row.setting.policyTitle, in: contents)),
          .init("\(judgement.sign) \(judgement.words)", look: judgement.look),
          .number(judgement.mean, metric.digits), end(judgement.low), end(judgement.high),
          .number(Double(judgement.pairs), 0),
        ]
      })
  }
}
