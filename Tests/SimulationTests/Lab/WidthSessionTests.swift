import Experiments
import Paging
import Simulation
import Testing

/// Sessions whose pages in flight are as many as the production gate finds that the network takes.
@Suite struct WidthSessionTests {
  private func scores(_ network: String, findsWidth: Bool) throws -> [SessionScore] {
    let experiment = try LabRig.experiment(
      ["everything"], workload: "fling:flings=8,items=4000", network: network, sessions: 10
    ) {
      $0.knownTotal = nil
      $0.maxInFlight = findsWidth ? nil : 4
      $0.findsWidth = findsWidth
    }
    return try Lab(LabRig.options()).run(experiment).row("everything").scores
  }

  @Test(arguments: [
    "fixed:0.1", "fixed:0.1,errors=0.05", "fixed:0.1,loss=0.05", "fixed:0.05,bandwidth=200000",
  ])
  func `the reader sees the same, and the same seed gives the same session`(network: String) throws {
    let (found, again) = (try scores(network, findsWidth: true), try scores(network, findsWidth: true))
    let usual = try scores(network, findsWidth: false)

    #expect(found.map(\.seen) == usual.map(\.seen))
    #expect(found.map(\.stall) == again.map(\.stall) && found.map(\.fetched) == again.map(\.fetched))
  }

  @Test func `a reader who wants everything waits less where the network takes more`() throws {
    let found = try scores("fixed:1", findsWidth: true).reduce(0) { $0 + $1.stall }
    let usual = try scores("fixed:1", findsWidth: false).reduce(0) { $0 + $1.stall }

    #expect(found <= usual)
  }
}
