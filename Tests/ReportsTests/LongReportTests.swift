import Experiments
import Foundation
import Reports
import Testing

/// CSV and JSON.
@Suite struct LongReportTests {
  @Test func `every number of every session has its line`() {
    let result = SmallResult.result

    let lines = Array(CSVReport(result))

    #expect(lines[0] == "run,source,workload,network,policy,part,session,metric,value\n")
    let sessions = lines.filter { $0.contains(",all,") && !$0.contains(",all,,") }
    #expect(sessions.count == 3 * 4 * Metric.allCases.count)
    #expect(
      lines.contains("1,pages of 20,fling,lognormal,near,all,0,waste,\(result.rows[0].scores[0].waste)\n"))
    #expect(lines.contains { $0.hasPrefix("1,pages of 20,fling,lognormal,far,all,,stall.difference,") })
    #expect(!lines.contains { $0.hasPrefix("1,pages of 20,fling,lognormal,near,all,,stall.difference,") })
  }

  @Test func `parameters are columns`() {
    var demo = DemoResult.sweep
    (demo.sessions, demo.timelines) = (1, 0)

    let lines = Array(CSVReport(demo.result, run: "a,b"))

    #expect(lines[0] == "run,source,workload,network,policy,screens,extra,part,session,metric,value\n")
    #expect(
      lines.contains { $0.hasPrefix("\"a,b\",pages of 20,fling,lognormal,screens,0.5,10,all,0,stall,") })
    #expect(lines.contains { $0.hasPrefix("\"a,b\",pages of 20,fling,lognormal,oracle,,,all,0,stall,") })
  }

  @Test func `a session of a split stands in its part only`() {
    var result = SmallResult.result([("base", 1)])
    var train = result.rows[0]
    train.part = .train
    result.rows.append(train)

    let lines = Array(CSVReport(result))

    #expect(!lines.contains { $0.contains(",all,0,") })
    #expect(lines.filter { $0.contains(",train,0,") }.count == Metric.allCases.count)
    #expect(lines.contains("1,s,w,n,base,all,,stall.mean,1\n"))
  }

  @Test func `names are quoted where they must be`() {
    let lines = Array(CSVReport(SmallResult.result([("say \"hi\", twice\n", 1)])))

    #expect(lines[1].hasPrefix("1,s,w,n,\"say \"\"hi\"\", twice\n\",all,,stall.mean,1"))
  }

  @Test(arguments: 0..<80)
  func `whatever the names and numbers, JSON is JSON and equal each time`(seed: Int) throws {
    var random = RandomResult(seed: UInt64(seed))
    let result = random.result()

    let text = JSONReport(result).text

    #expect(text == JSONReport(result).text)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "seed \(seed)")
    let rows = try #require(object["rows"] as? [[String: Any]])
    #expect(object["title"] as? String == result.title, "seed \(seed)")
    #expect(rows.compactMap { $0["policy"] as? String } == result.rows.map(\.setting.policy), "seed \(seed)")
  }

  @Test func `JSON holds what the rows hold`() throws {
    let result = SmallResult.result

    let text = JSONReport(result).text

    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let row = try #require((object["rows"] as? [[String: Any]])?[1])
    let stall = try #require(row["stall"] as? [String: Any])
    let mean = try #require(stall["mean"] as? Double)
    #expect(abs(mean - result.rows[1].mean(.stall)) < 1e-6)
    #expect(
      (stall["difference"] as? [String: Any])?["verdict"] as? String
        == result.rows[1].comparisons[.stall]?.verdict.rawValue)
    #expect((object["sessions"] as? [[String: Any]])?.count == 12)
    #expect(JSONReport(result, hasSessions: false).text.contains("\"sessions\":[") == false)
  }
}
