import Experiments

/// The part of the document about one source, workload and network.
struct BlockSection {
  private let block: ReportBlock
  private let contents: ReportContents

  init(_ block: ReportBlock, _ contents: ReportContents) {
    self.block = block
    self.contents = contents
  }

  func write(_ markup: inout Markup) {
    markup.within("section", ["id": "world-\(block.number)"]) { section in
      section.element("h2", [:], block.title)
      if contents.blocks.count > 1 {
        let finding = Finding(block, contents)
        section.element("p", ["class": "finding"], finding.headline + ".")
        if !finding.detail.isEmpty { section.element("p", ["class": "aid"], finding.detail) }
      }
      tables(&section)
      let judged = block.judged
      guard !judged.measured.isEmpty else { return }
      if !block.splits.isEmpty, judged.splits.isEmpty {
        section.element(
          "p", ["class": "aid"], "The figures show the sessions kept back, as the headline does.")
      }
      section.within("div", ["class": "figures"]) { figures in
        for figure in self.figures(judged) { figure.write(&figures) }
      }
    }
    markup.line()
  }

  private func tables(_ markup: inout Markup) {
    let sessions = block.rows.map(\.sessions).max() ?? 0
    let isOneReader = block.rows.contains(where: \.isOneReader)
    let amount =
      sessions < Judgement.fewestSessions
      ? "\(sessions == 1 ? "one session" : "means of two sessions"): too few for intervals"
      : "means of \(sessions) sessions\(isOneReader ? " of one recorded reader" : "") with 95 % intervals; "
        + "verdicts hold for all rows at once"
    if block.splits.isEmpty {
      SummaryTable(block.rows, contents, caption: amount).write(&markup)
      return hypervolumes(block.rows, &markup)
    }
    for split in block.splits {
      let part = split.part == .holdout ? "kept back" : "to choose by"
      let count = split.rows.map(\.sessions).max() ?? 0
      SummaryTable(
        split.rows, contents, caption: "\(split.part.rawValue): means of the \(count) sessions \(part)"
      ).write(&markup)
      hypervolumes(split.rows, &markup)
    }
  }

  /// The hypervolumes of policies with several settings.
  private func hypervolumes(_ rows: [LabRow], _ markup: inout Markup) {
    let areas = FrontArea.all(of: rows)
    guard !areas.isEmpty else { return }
    DataTable(
      caption: FrontArea.caption, titles: ["policy", "settings", "hypervolume %"],
      rows: areas.map { [.init($0.title), .number(Double($0.settings), 0), .number(100 * $0.part, 1)] }
    ).write(&markup)
  }

  private func figures(_ block: ReportBlock) -> [Figure] {
    var figures: [Figure] = []
    if block.measured.contains(where: { !$0.isDropped }) {
      figures.append(ParetoChart(block, contents).figure)
    }
    if block.measured.contains(where: { !$0.scores.isEmpty && !$0.isDropped }) {
      figures.append(ECDFChart(block, contents).figure)
    }
    figures += [contents.primary, .waste].compactMap { ForestChart(block, contents, metric: $0)?.figure }
    figures += sweeps(block)
    return figures
  }

  private func sweeps(_ block: ReportBlock) -> [Figure] {
    let names = contents.parameterNames
    let curves = names.flatMap { name in
      [contents.primary, .waste].compactMap {
        SweepChart(block, contents, parameter: name, metric: $0)?.figure
      }
    }
    var policies: [String] = []
    for row in block.policies where !policies.contains(row.setting.policy) {
      policies.append(row.setting.policy)
    }
    let maps = policies.flatMap { policy in
      names.indices.flatMap { one in
        names.indices.dropFirst(one + 1).compactMap { other in
          HeatMap(block.policies, policy: policy, names[one], names[other], metric: contents.primary)?.figure
        }
      }
    }
    return curves + maps
  }
}
