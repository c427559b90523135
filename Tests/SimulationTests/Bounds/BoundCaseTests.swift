import Experiments
import Paging
import Simulation
import Testing

@Suite struct BoundCaseTests {
  @Test(arguments: BoundCase.all("closed", "capped"))
  func `a waiting reader's schedule is the specification's`(_ example: BoundCase) throws {
    let schedule = try example.problem.schedule()

    #expect(schedule.stall.inSeconds == example.expect.stall)
    #expect(schedule.stalls.map(\.inSeconds) == example.expect.stalls)
    #expect(schedule.arrivals == instants(example.expect.arrivals!))
    #expect(schedule.isExact)
  }

  @Test(arguments: BoundCase.all("memory"))
  func `less memory costs what the front says`(_ example: BoundCase) throws {
    for point in try #require(example.expect.front) {
      var problem = example.problem
      problem.memory = Int(point[0])

      let schedule = try problem.schedule()

      #expect(schedule.stall.inSeconds == point[1])
      #expect(schedule.isExact)
    }
  }

  @Test(arguments: BoundCase.all("latest"))
  func `pages just in time cost no more`(_ example: BoundCase) throws {
    let schedule = try example.problem.schedule().postponed()

    #expect(schedule.arrivals == instants(example.expect.arrivals!))
    #expect(schedule.stalls.map(\.inSeconds) == example.expect.stalls)
  }

  @Test func `every kind of vector is tried`() {
    let kinds = ["closed", "capped", "memory", "latest"]

    #expect(kinds.map { BoundCase.all($0).count }.reduce(0, +) == BoundCase.count)
    #expect(kinds.allSatisfy { !BoundCase.all($0).isEmpty })
  }
}
