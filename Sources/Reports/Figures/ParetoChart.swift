import Experiments

/// Waste against stall: what shorter waits cost. No policy beats those on the front in both.
struct ParetoChart {
  private let rows: [LabRow]
  private let contents: ReportContents
  private let plot: Plot
  /// Settings that a race dropped: their means are of other sessions.
  private let dropped: Int

  init(_ block: ReportBlock, _ contents: ReportContents) {
    let rows = block.measured.filter { !$0.isDropped }
    self.rows = rows
    dropped = block.measured.count - rows.count
    self.contents = contents
    func axis(_ metric: Metric) -> Axis {
      let ends = rows.filter(\.hasInterval).flatMap { row in
        row.summaries[metric].map { [max(0, $0.low), $0.high] } ?? []
      }
      return Axis.telling(rows.map { $0.mean(metric) }, ends: ends, title: metric.axisTitle)
    }
    plot = Plot(horizontal: axis(.waste), vertical: axis(.stall))
  }

  var figure: Figure {
    Figure(
      title: "Stall against waste",
      aid:
        "Further down waits less, further left wastes less. The line joins the policies that no other beats in both; "
        + "hollow grey ones are beaten. Larger marks make more requests, a star knows the future."
        + plot.words + (dropped > 0 ? " Settings dropped by the race are left out: \(dropped)." : ""),
      table: table, picture: draw)
  }

  private func draw(_ markup: inout Markup) {
    plot.draw(&markup, label: "Stall against waste, one mark for each policy") { svg in
      let front = rows.filter(\.isOnFront).sorted { $0.mean(.waste) < $1.mean(.waste) }
      if front.count > 1 { svg.element("path", ["class": "front", "d": steps(front)]) }
      let most = max(1, rows.map { $0.mean(.requests) }.max() ?? 1)
      for row in rows.sorted(by: { !$0.isOnFront && $1.isOnFront }) {
        let part = max(0, row.mean(.requests)) / most
        let span = rows.count > 12 ? 2.5 : 5.0
        point(row, size: 3.5 + span * (part.isFinite ? min(1, part) : 0).squareRoot(), &svg)
      }
      labels(&svg)
    }
  }

  private func at(_ row: LabRow) -> (x: Double, y: Double) {
    (plot.x(row.mean(.waste)), plot.y(row.mean(.stall)))
  }

  /// The area right of and above the steps is reachable by mixing.
  private func steps(_ front: [LabRow]) -> String {
    var path = ""
    for row in front {
      let (x, y) = at(row)
      path += path.isEmpty ? "M\(length(x)) \(length(y))" : "H\(length(x))V\(length(y))"
    }
    return path
  }

  private func point(_ row: LabRow, size: Double, _ svg: inout Markup) {
    let mark = SeriesMark(row.setting.policyTitle, in: contents)
    let (x, y) = at(row)
    let isBeaten = !row.isOnFront && !row.isOracle
    svg.within("g", ["class": "s", "data-p": "\(mark.number)"]) { group in
      let (stall, waste) = (
        row.summaries[.stall] ?? MetricSummary(), row.summaries[.waste] ?? MetricSummary()
      )
      let cross =
        "M\(length(plot.x(waste.low))) \(length(y))H\(length(plot.x(waste.high)))"
        + "M\(length(x)) \(length(plot.y(stall.low)))V\(length(plot.y(stall.high)))"
      if row.hasInterval { group.element("path", ["class": "whisker", "d": cross]) }
      group.within(
        "path",
        ["class": isBeaten ? "point beaten" : "point \(mark.colour)", "d": mark.path(x: x, y: y, size: size)]
      ) {
        $0.element(
          "title", [:],
          "\(row.setting.policyTitle): stall \(row.meanText(.stall)) s, waste \(row.meanText(.waste)) items, "
            + "\(ReportNumber.fixed(row.mean(.requests), 1)) requests")
      }
    }
  }

  /// Names of the important points, where there is room.
  private func labels(_ svg: inout Markup) {
    var room = LabelRoom(
      left: plot.left, right: plot.width - plot.right, top: 8, bottom: plot.height - plot.bottom)
    for row in rows {
      let (x, y) = at(row)
      room.block(x: x - 7, y: y - 7, width: 14, height: 14)
    }
    for row in named {
      let (x, y) = at(row)
      let title = row.setting.policyTitle
      let text = title.count > 34 ? title.prefix(33) + "…" : title[...]
      guard let place = room.place(String(text), x: x, y: y) else { continue }
      svg.element(
        "text", ["class": "name", "x": length(place.x), "y": length(place.y), "text-anchor": place.anchor],
        String(text))
    }
  }

  /// In order of importance; of many only the baseline, the oracles and the ends of the front.
  private var named: [LabRow] {
    let ordered = rows.sorted { rank($0) < rank($1) }
    guard rows.count > 12 else { return ordered }
    let front = rows.filter(\.isOnFront).sorted { $0.mean(.waste) < $1.mean(.waste) }.map(\.setting)
    return ordered.filter { rank($0) < 2 || $0.setting == front.first || $0.setting == front.last }
  }

  private func rank(_ row: LabRow) -> Int {
    row.setting.policyTitle == contents.result.baseline ? 0 : row.isOracle ? 1 : row.isOnFront ? 2 : 3
  }

  private var table: DataTable {
    DataTable(
      caption: "Stall, waste and requests a session, with 95 % intervals",
      titles: ["policy", "stall s", "95 %", "waste items", "95 %", "requests", "on the front"],
      rows: rows.map { row in
        let (stall, waste) = (
          row.summaries[.stall] ?? MetricSummary(), row.summaries[.waste] ?? MetricSummary()
        )
        return [
          .init(row.setting.policyTitle, mark: SeriesMark(row.setting.policyTitle, in: contents)),
          .number(stall.mean, 3), .init(row.intervalText(.stall)),
          .number(waste.mean, 1), .init(row.intervalText(.waste)),
          .number(row.mean(.requests), 1),
          .init(row.isOracle ? "oracle" : row.isOnFront ? "yes" : "no"),
        ]
      })
  }
}
