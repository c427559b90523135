import Experiments
import Paging
import Simulation
import Testing

/// The numbers of the reference lab (lab.md 2.5), made by the production machine: 200 sessions, pages of 20, two in flight.
@Suite struct ReferenceLabTests {
  /// Asks for a page when an item of it is missing, and not before: the reference lab's "demand".
  struct Demand: FetchPolicy {
    mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
      Verdict(view.direction == .append && view.inFlight == 0 && view.lastVisible >= view.itemCount)
    }
  }

  /// As far ahead as the reader gets in so many latencies, and no less than the floor: the reference lab's "velocity".
  struct Velocity: FetchPolicy {
    let factor: Double
    let floor: Double

    mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
      let latency = view.latency.count > 0 ? view.latency.mean : 0.4
      let wanted = max(floor, factor * view.velocity * latency)
      return Verdict(view.direction == .append && Double(view.remainingItems + view.expectedItems) < wanted)
    }
  }

  @Test func `stalls and requests are those of the reference lab`() throws {
    var experiment = try LabRig.experiment(
      ["prefetchDistance(15)", "prefetchDistance(21)", "prefetchDistance(201)"],
      workload: "fling:items=100000",
      sessions: 200)
    experiment.policies.append(ExperimentPolicy(name: "demand") { _ in Demand() })

    for (factor, floor) in [(1.5, 7.0), (2, 14)] {
      experiment.policies.append(
        ExperimentPolicy(name: "velocity x\(factor)") { _ in Velocity(factor: factor, floor: floor) })
    }

    let result = try Lab(LabRig.options(jobs: 1)).run(experiment)

    // Mean and half width of lab.md's table, and our own half width beside them.
    for (policy, mean, halfWidth) in [
      ("demand", 5.65, 0.73), ("prefetchDistance(15)", 0.41, 0.04), ("prefetchDistance(21)", 0.38, 0.03),
      ("prefetchDistance(201)", 0.38, 0.03), ("velocity x1.5", 0.60, 0.06), ("velocity x2.0", 0.40, 0.04),
    ] {
      let ours = try #require(try result.row(policy).summaries[.stall])
      #expect(
        abs(ours.mean - mean) < halfWidth + ours.halfWidth, "\(policy): \(ours.mean) ± \(ours.halfWidth)")
    }
    #expect(abs(try result.mean("demand", .requests) - 14.2) < 1.5)
    #expect(abs(try result.mean("prefetchDistance(201)", .requests) - 24.2) < 2)
    #expect(try result.mean("prefetchDistance(201)", .regret) < 0.005)
  }
}
