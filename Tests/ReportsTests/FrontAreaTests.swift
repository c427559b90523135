import Experiments
import Foundation
import Reports
import Testing

@Suite struct FrontAreaTests {
  /// Two settings of one policy and one of another, by waste and stall.
  private var result: LabResult {
    var result = SmallResult.result([("screens", 10), ("screens", 2), ("other", 8)])
    for (row, value) in [(0, 1.0), (1, 2.0)] {
      result.rows[row].setting.parameters = [LabParameter("screens", value)]
    }
    for (row, waste) in [(0, 0.0), (1, 10.0), (2, 5.0)] { result.rows[row].summaries[.waste]?.mean = waste }
    return result
  }

  @Test func `the hypervolume of a front is the part of the box that it leaves behind`() throws {
    let text = TableReport(result).text

    // On log scales from 0 to the corner, (0, 10) is at (0, 0.668), (10, 2) at (0.347, 0.441), (5, 8) at (0.259, 0.636).
    #expect(
      text.contains("hypervolume: % of the box up to 1000 wasted items and 100 s of stall, on log scales"))
    #expect(text.contains("\n  screens 48.0 %, other 27.0 %, all policies 48.3 %\n"))
  }

  @Test func `it stands in every report`() throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(JSONReport(result).text.utf8)) as? [String: Any])
    let fronts = try #require(json["fronts"] as? [[String: Any]])

    #expect(fronts.map { $0["policy"] as? String } == ["screens", "other", nil])
    #expect(fronts.map { $0["settings"] as? Int } == [2, 1, 3])
    let corner = log(1001.0)
    let (first, second) = (1 - log(101) / corner, 1 - log(21) / corner)
    let expected = first + (1 - log(11) / corner) * (second - first)
    #expect(abs((fronts[0]["hypervolume"] as? Double ?? 0) - expected) < 1e-6)
    #expect(HTMLReport(result).text.contains("hypervolume %"))
  }

  @Test func `a worse row changes no other's hypervolume`() {
    var worse = result
    worse.rows[2].summaries[.waste]?.mean = 900
    worse.rows[2].summaries[.stall]?.mean = 90

    #expect(TableReport(worse).text.contains("\n  screens 48.0 %, other "))
  }

  @Test func `a row by itself is no front`() {
    #expect(!TableReport(SmallResult.result).text.contains("hypervolume"))
  }

  @Test func `what a race dropped has no part in it`() {
    var result = result
    result.rows[2].isDropped = true

    #expect(TableReport(result).text.contains("\n  screens 48.0 %\n"))
  }

  @Test func `parameters are never cut`() {
    var result = result
    let name = String(repeating: "n", count: 50)
    result.rows[0].setting.policy = name
    result.rows[0].setting.parameters = [LabParameter("initialPageSize", 20), LabParameter("screens", 1.5)]

    let text = TableReport(result).text

    #expect(text.contains("n… initialPageSize=20 screens=1.5 "))
    #expect(!text.contains(name))
  }
}
