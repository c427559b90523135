import Experiments
import Paging
import Simulation
import Testing

@Suite struct ChoosingTests {
  private typealias Point = ParetoFront.Point

  @Test(arguments: 0..<60)
  func `the front is what nothing dominates, and its area is counted cell by cell`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let points = (0..<Int.random(in: 0...12, using: &dice)).map { _ in
      Point(x: Double(Int.random(in: 0...9, using: &dice)), y: Double(Int.random(in: 0...9, using: &dice)))
    }

    let front = ParetoFront(points)

    let undominated = points.indices.filter { index in !points.contains { $0.dominates(points[index]) } }
    #expect(Set(front.indices) == Set(undominated), "seed \(seed)")
    #expect(front.indices.count == undominated.count)
    #expect(front.points.map(\.x) == front.points.map(\.x).sorted())
    var cells = 0
    for x in 0..<8 {
      for y in 0..<8 where points.contains(where: { $0.x <= Double(x) && $0.y <= Double(y) }) { cells += 1 }
    }
    #expect(front.hypervolume(reference: Point(x: 8, y: 8)) == Double(cells), "seed \(seed)")
  }

  @Test func `points that are no numbers are not on the front`() {
    let front = ParetoFront([Point(x: .nan, y: 0), Point(x: 1, y: 1), Point(x: 0, y: .nan)])

    #expect(front.indices == [1])
  }

  /// Scores whose stall differs from a shared one by an offset and some noise of its own.
  private func scores(_ sessions: Int, offset: Double, noise: Double, seed: UInt64) -> [SessionScore] {
    var (shared, own) = (RandomStream(seed: 77), RandomStream(seed: seed))
    return (0..<sessions).map { session in
      var score = SessionScore(session: session)
      score.stall = 10 * shared.unit() + offset + noise * (own.unit() - 0.5)
      return score
    }
  }

  @Test func `a race drops who is worse, not before 25 sessions, and never an oracle`() {
    let all = [(0.0, 1.0), (3, 1), (0.0, 1), (-9, 0), (3, 0)].enumerated().map { index, kind in
      scores(200, offset: kind.0, noise: kind.1, seed: UInt64(index))
    }
    var race = CandidateRace(.stall, [false, false, false, true, false])
    let running = [true, true, true, true, false]

    #expect(race.losers(all.map { Array($0.prefix(24)) }, running) == [])
    #expect(race.losers(all.map { Array($0.prefix(25)) }, running) == [1])
    #expect(race.losers(all.map { Array($0.prefix(26)) }, running) == [])
    #expect(race.losers(all, running) == [1])
  }

  @Test func `a race by the hit rate drops the lower one`() {
    let all = [9, 5].map { hits in
      (0..<30).map { session in
        var score = SessionScore(session: session)
        (score.seen, score.hits) = (10, hits)
        return score
      }
    }
    var race = CandidateRace(.hitRate, [false, false])

    #expect(race.losers(all, [true, true]) == [1])
    #expect(race.losers([], []) == [])
  }

  @Test func `equal candidates are seldom dropped`() {
    var dropped = 0

    for trial in 0..<20 {
      let all = (0..<4).map { scores(200, offset: 0, noise: 2, seed: UInt64(trial * 10 + $0)) }
      var race = CandidateRace(.stall, Array(repeating: false, count: 4))
      var running = Array(repeating: true, count: 4)
      for sessions in stride(from: 25, through: 200, by: 25) {
        for loser in race.losers(all.map { Array($0.prefix(sessions)) }, running) { running[loser] = false }
      }
      dropped += running.count { !$0 }
    }

    #expect(dropped <= 8, "\(dropped) of 80")
  }

  @Test func `a split keeps its part, whatever comes later, and differs by seed`() {
    let split = HoldoutSplit(seed: 1, fraction: 0.3)

    let held = (0..<10_000).filter(split.isHeldOut)

    #expect((2_850...3_150).contains(held.count))
    #expect(held == (0..<10_000).filter { HoldoutSplit(seed: 1, fraction: 0.3).isHeldOut($0) })
    #expect(held != (0..<10_000).filter(HoldoutSplit(seed: 2, fraction: 0.3).isHeldOut))
    #expect(!(0..<1000).contains(where: HoldoutSplit(seed: 1, fraction: 0).isHeldOut))
    #expect((0..<1000).allSatisfy(HoldoutSplit(seed: 1, fraction: 1).isHeldOut))
  }
}

extension ParetoFront.Point {
  /// No worse in both and better in one.
  func dominates(_ other: ParetoFront.Point) -> Bool {
    x <= other.x && y <= other.y && (x < other.x || y < other.y)
  }
}
