import Testing

@Suite struct BoundTests {
  /// A problem as Lua text, and the schedule that solves it, in seconds.
  struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let problem: String
    let stall: Double
    let stalls: [Double]
    let arrivals: [Double]
    var testDescription: String { name }
  }

  @Test(arguments: cases("bounds") as [Vector])
  func `a script learns when pages could come at best`(_ vector: Vector) throws {
    let lines = try printed(
      by: """
        local bound = lookahead.machine.bound { \(vector.problem) }
        print(bound.stall, bound.leastStall, bound.isExact)
        print(table.concat(bound.stalls, " "))
        print(table.concat(bound.arrivals, " "))
        """)

    #expect(
      lines == [
        "\(vector.stall)\t\(vector.stall)\ttrue", vector.stalls.map { "\($0)" }.joined(separator: " "),
        vector.arrivals.map { "\($0)" }.joined(separator: " "),
      ])
  }

  @Test func `pages behind cursors come one after another`() throws {
    let lines = try printed(
      by: """
        local bound = lookahead.machine.bound { deadlines = { 0, 0.5, 1 }, latency = 0.75, slots = 3, cursor = true }
        print(table.concat(bound.arrivals, " "), bound.stall)
        """)

    #expect(lines == ["0.75 1.5 2.25\t1.25"])
  }

  @Test func `unequal pages in several slots have a bound below the schedule`() throws {
    let lines = try printed(
      by: """
        local bound = lookahead.machine.bound { deadlines = { 0, 0, 0, 0, 0 }, latency = { 1, 1, 1, 3, 3 }, slots = 2 }
        print(bound.isExact, bound.leastStall <= bound.stall, bound.leastStall)
        """)

    #expect(lines == ["false\ttrue\t4.5"])
  }
}
