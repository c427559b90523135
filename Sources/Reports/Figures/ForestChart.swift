import Experiments

/// Every policy's paired difference to the baseline with its interval: one that touches zero is not resolved.
///
/// Its lines are text with a bar beside it, or below it on a narrow screen; positions in a bar are percentages.
struct ForestChart {
  private static let height = 26.0
  private let rows: [(row: LabRow, judgement: Judgement)]
  private let contents: ReportContents
  private let metric: Metric
  private let axis: Axis

  /// Nil if there is nothing to compare.
  init?(_ block: ReportBlock, _ contents: ReportContents, metric: Metric) {
    rows = block.measured.compactMap { row in Judgement(row, metric, contents).map { (row, $0) } }
    guard !rows.isEmpty else { return nil }
    self.contents = contents
    self.metric = metric
    let ends = Self.ends(rows.map(\.judgement))
    axis = Axis(ends, title: "\(metric.name) minus the baseline's, \(metric.rate)")
  }

  /// The ends of all intervals; outliers are cut to one side, so that the others remain distinguishable.
  private static func ends(_ judgements: [Judgement]) -> [Double] {
    var sizes = judgements.map { max(abs($0.low), abs($0.high)) }.filter(\.isFinite).sorted()
    while sizes.count > 1, sizes[sizes.count - 2] > 0, sizes[sizes.count - 1] > 6 * sizes[sizes.count - 2] {
      sizes.removeLast()
    }
    guard let limit = sizes.last else { return [] }
    return judgements.flatMap { [$0.low, $0.high] }.filter(\.isFinite).map { min(limit, max(-limit, $0)) }
  }

  /// Whether a bar ends outside the axis.
  private var isCut: Bool {
    rows.contains { $0.judgement.low < axis.low || $0.judgement.high > axis.high }
  }

  var figure: Figure {
    let side = metric.isBetterWhenLess ? "left" : "right"
    return Figure(
      title: "Difference in \(metric.name), session by session",
      aid:
        "Every session is compared with the same session under \(contents.result.baseline). A bar that lies wholly "
        + "\(side) of zero is better; one that crosses it is not resolved by this many sessions."
        + (isCut ? " An arrow points at what lies beyond the axis." : ""),
      isWide: true, isFolded: rows.count > 12, table: table, picture: draw)
  }

  private func draw(_ markup: inout Markup) {
    markup.within(
      "div",
      [
        "class": "forest", "role": "img",
        "aria-label":
          "Paired differences in \(metric.name) to \(contents.result.baseline), with 95 % intervals",
      ]
    ) { chart in
      for (row, judgement) in rows { line(row, judgement, &chart) }
      chart.within("div", ["class": "scale"]) { line in
        line.within("svg", ["class": "bar", "height": "38"]) { svg in
          for tick in axis.ticks {
            svg.element(
              "text", ["x": percent(tick.value), "y": "14", "text-anchor": "middle"], tick.label)
          }
          svg.element("text", ["class": "unit", "x": "50%", "y": "33", "text-anchor": "middle"], axis.title)
        }
      }
    }
  }

  private func line(_ row: LabRow, _ judgement: Judgement, _ chart: inout Markup) {
    let title = row.setting.policyTitle
    let mark = SeriesMark(title, in: contents)
    chart.within("div", ["class": "row s \(judgement.look)", "data-p": "\(mark.number)"]) { line in
      line.within("div", ["class": "name"]) { name in
        mark.swatch(&name)
        name.write(title)
      }
      line.within("svg", ["class": "bar", "height": length(Self.height)]) { svg in
        svg.element("title", [:], "\(title): \(judgement.text)")
        let x = percent(0)
        svg.element("line", ["class": "zero", "x1": x, "y1": "0", "x2": x, "y2": length(Self.height)])
        if judgement.hasInterval { interval(judgement, &svg) }
        if judgement.mean >= axis.low, judgement.mean <= axis.high {
          shape(
            "estimate", at: percent(judgement.mean), estimate(judgement.verdict), &svg)
        }
      }
      line.within("div", ["class": "words"]) { words in
        words.element("b", [:], judgement.amount)
        words.write(" \(judgement.words)")
      }
    }
  }

  /// A position on the axis.
  private func percent(_ value: Double) -> String { ReportNumber.short(100 * axis.part(value), 2) + "%" }

  private func shape(_ look: String, at x: String, _ path: String, _ svg: inout Markup) {
    svg.within("svg", ["x": x, "y": length(Self.height / 2), "class": "at"]) {
      $0.element("path", ["class": look, "d": path])
    }
  }

  /// A bar with its ends, or with an arrow if it continues beyond the axis.
  private func interval(_ judgement: Judgement, _ svg: inout Markup) {
    let (isCutLow, isCutHigh) = (judgement.low < axis.low, judgement.high > axis.high)
    let (low, high) = (percent(judgement.low), percent(judgement.high))
    if judgement.low > axis.high { return shape("interval", at: high, "M-16 0h14m-5 -4l5 4l-5 4", &svg) }
    if judgement.high < axis.low { return shape("interval", at: low, "M16 0h-14m5 -4l-5 4l5 4", &svg) }
    let y = length(Self.height / 2)
    svg.element("line", ["class": "interval", "x1": low, "y1": y, "x2": high, "y2": y])
    shape("interval end", at: low, isCutLow ? "M6 -4l-5 4l5 4" : "M0 -4v8", &svg)
    shape("interval end", at: high, isCutHigh ? "M-6 -4l5 4l-5 4" : "M0 -4v8", &svg)
  }

  /// A circle, a square or a hollow diamond, so that the verdict does not depend on colour.
  private func estimate(_ verdict: Judgement.Verdict) -> String {
    let shape =
      switch verdict {
      case .better: 0
      case .worse: 1
      case .equal, .notResolved: 3
      }
    return SeriesMark(number: shape, isOracle: false).path(x: 0, y: 0, size: 4.5)
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
