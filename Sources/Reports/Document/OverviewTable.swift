import Experiments

/// Policies down, worlds across: the primary metric of each, and whether it beats the baseline there.
struct OverviewTable {
  private let contents: ReportContents

  init(_ contents: ReportContents) { self.contents = contents }

  var table: DataTable {
    DataTable(
      caption:
        "\(contents.primary.title) in every world; ● better, ■ worse than \(contents.result.baseline), = equal, ◇ not resolved",
      titles: ["policy"] + contents.blocks.map(\.title),
      rows: contents.policies.map { title in
        [.init(title, mark: SeriesMark(title, in: contents))] + contents.blocks.map { cell($0, title) }
      })
  }

  private func cell(_ block: ReportBlock, _ title: String) -> DataTable.Cell {
    guard let row = block.judged.rows.first(where: { $0.setting.policyTitle == title }), row.isMeasured else {
      return .init(ReportNumber.none)
    }
    let judgement = Judgement(row, contents.primary, contents)
    let sign = judgement.map { $0.sign + " " } ?? ""
    return .init(
      sign + row.meanText(contents.primary), key: row.mean(contents.primary), look: judgement?.look ?? "")
  }
}
