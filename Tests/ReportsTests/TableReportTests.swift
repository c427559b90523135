import Experiments
import Foundation
import Reports
import Testing

@Suite struct TableReportTests {
  private func names(_ text: String) -> [String] {
    text.split(separator: "\n").drop { !$0.hasPrefix("---") }.dropFirst().prefix {
      !$0.isEmpty && !$0.hasPrefix("*")
    }
    .map { String($0.prefix { $0 != " " }) }
  }

  @Test func `a small result is as recorded`() throws {
    #expect(try Golden("table.txt").difference(from: TableReport(SmallResult.result).text) == nil)
  }

  @Test func `columns are aligned`() {
    let lines = TableReport(DemoResult.usual.result).text.split(separator: "\n")

    let rule = Array(lines[3])
    let gaps = rule.indices.filter { rule[$0] == " " }

    #expect(!gaps.isEmpty)
    for line in lines[4...].prefix(8) {
      let line = Array(line)
      for gap in gaps where gap < line.count { #expect(line[gap] == " ", "\(String(line))") }
    }
  }

  @Test func `without colour there is no escape sequence, with it the best is bold`() {
    let result = SmallResult.result([("base", 0.5), ("best", 0.25)])
    var options = TableReport.Options()

    let plain = TableReport(result, options).text
    options.usesColour = true
    let coloured = TableReport(result, options).text

    #expect(!plain.contains("\u{1B}"))
    #expect(coloured.contains("\u{1B}[1m0.250\u{1B}[0m"))
    #expect(!coloured.contains("\u{1B}[1m0.500"))
    #expect(
      coloured.replacingOccurrences(of: "\u{1B}[1m", with: "").replacingOccurrences(of: "\u{1B}[0m", with: "")
        == plain)
  }

  @Test(arguments: [
    ("stall", ["c", "b", "a"]), ("policy", ["a", "b", "c"]), ("worst", ["c", "b", "a"]),
    ("difference", ["c", "b", "a"]),
    ("requests", ["a", "c", "b"]), ("no such column", ["a", "c", "b"]),
  ])
  func `rows are sorted by a column`(column: String, order: [String]) {
    let result = SmallResult.result([("a", 3), ("c", 1), ("b", 2)])
    var options = TableReport.Options()
    options.sort = column

    #expect(names(TableReport(result, options).text).prefix(3) == order[...])
  }

  @Test func `every column that can be sorted by is one`() {
    #expect(TableReport.columns.contains("difference") && TableReport.columns.contains("hitRate"))
    for column in TableReport.columns {
      var options = TableReport.Options()
      options.sort = column
      #expect(
        names(TableReport(SmallResult.result, options).text).prefix(3).sorted() == ["far", "near", "oracle"])
    }
  }

  @Test(arguments: [40, 60, 80, 100, 120, 200])
  func `a narrow terminal gets fewer columns and is told which are missing`(width: Int) {
    let result = DemoResult.usual.result
    var options = TableReport.Options()
    let full = TableReport(result, options).text.split(separator: "\n")
    options.width = width

    let text = TableReport(result, options).text

    let lines = text.split(separator: "\n")
    let isCut = (full.dropFirst().prefix(10).map(\.count).max() ?? 0) > width
    #expect(lines.contains { $0.hasPrefix("not shown for want of width: ") } == isCut)
    #expect(lines[1...10].allSatisfy { $0.count <= max(width, 32) }, "\(text)")
  }

  @Test func `an oracle is marked, and the mark explained`() {
    let text = TableReport(SmallResult.result).text

    #expect(text.contains("\noracle *"))
    #expect(text.contains("* knows the future"))
  }

  @Test func `a row that failed has no numbers`() {
    var result = SmallResult.result([("base", 1), ("broken", 2)])
    result.rows[1].sessions = 0

    let text = TableReport(result).text

    #expect(text.contains("\nbroken\n"))
    #expect(text.contains("broken: failed"))
  }

  @Test(arguments: 0..<50)
  func `whatever the names and numbers, there is a table`(seed: Int) {
    var random = RandomResult(seed: UInt64(seed))
    let result = random.result()
    var options = TableReport.Options()
    options.width = 60

    let text = TableReport(result, options).text

    #expect(text.hasSuffix("\n"), "seed \(seed)")
  }
}
