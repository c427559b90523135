import Experiments

/// A metric over two swept parameters of one policy: a cell per pair of values, with the best outlined.
struct HeatMap {
  private static let most = 40
  private let policy: String
  private let parameters: (horizontal: String, vertical: String)
  private let metric: Metric
  private let columns: [Double]
  private let lines: [Double]
  /// The best row of every pair, if there are more parameters.
  private let cells: [[LabRow?]]
  private let hasMore: Bool

  /// Nil unless there are at least two values in each direction, and few enough to read.
  init?(_ rows: [LabRow], policy: String, _ horizontal: String, _ vertical: String, metric: Metric) {
    let own = rows.filter { $0.setting.policy == policy }
    func values(_ name: String) -> [Double] {
      Set(own.compactMap { $0.setting.parameters.first { $0.name == name }?.value }.filter(\.isFinite))
        .sorted()
    }
    let (columns, lines) = (values(horizontal), values(vertical))
    guard columns.count > 1, lines.count > 1, columns.count <= Self.most, lines.count <= Self.most else {
      return nil
    }
    (self.columns, self.lines) = (columns, lines)
    self.policy = policy
    parameters = (horizontal, vertical)
    self.metric = metric
    hasMore = own.contains { $0.setting.parameters.count > 2 }
    cells = lines.map { line in
      columns.map { column in
        own.filter { row in
          row.setting.parameters.contains { $0.name == horizontal && $0.value == column }
            && row.setting.parameters.contains { $0.name == vertical && $0.value == line }
        }.min {
          metric.isBetterWhenLess ? $0.mean(metric) < $1.mean(metric) : $0.mean(metric) > $1.mean(metric)
        }
      }
    }
  }

  private var means: [Double] { cells.flatMap { $0.compactMap { $0?.mean(metric) } } }

  /// The best as printed; among equals the least wasteful.
  private var best: LabSetting? {
    func rank(_ row: LabRow) -> (Int, Double) {
      let units = ReportNumber.units(row.mean(metric), metric.digits)
      return (metric.isBetterWhenLess ? units : -units, row.mean(.waste))
    }
    return cells.flatMap { $0.compactMap(\.self) }.min { rank($0) < rank($1) }?.setting
  }

  var figure: Figure {
    let more = hasMore ? " Each cell is the best over the other parameters." : ""
    return Figure(
      title: "\(policy): \(metric.name) over \(parameters.horizontal) and \(parameters.vertical)",
      aid:
        "The stronger the colour, the more \(metric.name). The outlined cell is the best; of equals the one that wastes "
        + "least.\(more)", isWide: columns.count > 8, table: table,
      picture: draw)
  }

  private func draw(_ markup: inout Markup) {
    let wide = columns.count > 8 ? 980.0 : 480
    let (left, top, bottom) = (70.0, 8.0, 46.0)
    let (width, height) = ((wide - left - 12) / Double(columns.count), lines.count > 12 ? 18.0 : 30)
    let ground = top + height * Double(lines.count)
    markup.within(
      "svg",
      [
        "viewBox": "0 0 \(length(wide)) \(length(ground + bottom))", "role": "img",
        "class": wide > 500 ? "broad" : "",
        "aria-label": "\(metric.name) of \(policy) over \(parameters.horizontal) and \(parameters.vertical)",
      ]
    ) { svg in
      for (place, line) in lines.enumerated() {
        let y = ground - height * Double(place + 1)
        svg.element(
          "text", ["x": length(left - 7), "y": length(y + height / 2 + 4), "text-anchor": "end"],
          ReportNumber.short(line, 4))
        for (column, row) in cells[place].enumerated() {
          cell(row, x: left + width * Double(column), y: y, width, height, &svg)
        }
      }
      for (place, column) in columns.enumerated() where columns.count <= 20 || place % 4 == 0 {
        svg.element(
          "text",
          [
            "x": length(left + width * (Double(place) + 0.5)), "y": length(ground + 16),
            "text-anchor": "middle",
          ],
          ReportNumber.short(column, 4))
      }
      svg.element(
        "text",
        ["class": "unit", "x": length((left + wide) / 2), "y": length(ground + 38), "text-anchor": "middle"],
        parameters.horizontal)
      svg.element(
        "text",
        [
          "class": "unit", "x": "0", "y": "0", "text-anchor": "middle",
          "transform": "translate(13 \(length((top + ground) / 2))) rotate(-90)",
        ], parameters.vertical)
    }
  }

  private func cell(
    _ row: LabRow?, x: Double, y: Double, _ width: Double, _ height: Double, _ svg: inout Markup
  ) {
    guard let row else { return }
    let mean = row.mean(metric)
    let (least, most) = (means.min() ?? 0, means.max() ?? 0)
    let part = most > least && mean.isFinite ? (mean - least) / (most - least) : 0
    svg.within("g", ["class": part > 0.55 ? "cell on" : "cell"]) { group in
      group.element("title", [:], "\(row.setting.policyTitle): \(row.meanText(metric))")
      group.element(
        "rect",
        [
          "class": row.setting == best ? "best" : "", "x": length(x + 1), "y": length(y + 1),
          "width": length(width - 2),
          "height": length(height - 2), "fill-opacity": ReportNumber.fixed(0.08 + 0.84 * part, 2),
        ])
      guard width >= 38 else { return }
      let digits = mean >= 100 ? 0 : mean >= 10 ? 1 : 2
      group.element(
        "text", ["x": length(x + width / 2), "y": length(y + height / 2 + 4), "text-anchor": "middle"],
        ReportNumber.fixed(mean, digits).replacingMinus)
    }
  }

  private var table: DataTable {
    DataTable(
      caption: "\(metric.title), \(parameters.vertical) down, \(parameters.horizontal) across",
      titles: [parameters.vertical] + columns.map { ReportNumber.short($0, 6) },
      rows: lines.enumerated().map { place, line in
        [.init(ReportNumber.short(line, 6), key: line)]
          + cells[place].map {
            $0.map { .number($0.mean(metric), metric.digits) } ?? .init(ReportNumber.none)
          }
      })
  }
}
