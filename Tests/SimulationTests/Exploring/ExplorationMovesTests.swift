import Paging
import Simulation
import Testing

@Suite struct ExplorationMovesTests {
  @Test(arguments: [3.0, 60, -60, 5000])
  func `a fling gets slower, keeps its direction and ends still`(velocity: Double) {
    let moves = ReaderMoves.fling(from: 1000, velocity: velocity)

    let speeds = moves.moves.map { abs($0.velocity) }
    #expect(speeds == speeds.sorted(by: >))
    #expect(moves.moves.last?.velocity == 0)
    #expect(moves.distance.signum() == (velocity < 0 ? -1 : 1))
    #expect(zip(moves.moves, moves.moves.dropFirst()).allSatisfy { $0.after < $1.after })
  }

  @Test func `a fling goes half its speed in items, as an ordinary list does`() {
    // The integral of v * 0.998^ms is v / 2.002 a second.
    let moves = ReaderMoves.fling(from: 0, velocity: 200)

    #expect((96...102).contains(moves.distance))
  }

  @Test func `a fling stops at both ends`() {
    let forward = ReaderMoves.fling(from: 10, velocity: 500, lastPlace: 40)
    let back = ReaderMoves.fling(from: 10, velocity: -500)

    #expect(forward.moves.last?.place == 40)
    #expect(back.moves.last?.place == 0)
  }

  @Test(arguments: [0, .nan, .infinity, -.infinity, 0.1])
  func `a fling without a speed that makes sense stands still`(velocity: Double) {
    let moves = ReaderMoves.fling(from: 5, velocity: velocity)

    #expect(moves.moves.map(\.place).allSatisfy { $0 == 5 })
    #expect(moves.moves.last?.velocity == 0)
  }

  @Test func `a glide takes its time and gets there`() {
    let moves = ReaderMoves.glide(from: 20, to: 5, in: .seconds(3))

    #expect(moves.span == .seconds(3))
    #expect(moves.moves.last?.place == 5)
    #expect(moves.moves.first?.velocity == -5)
    #expect(moves.moves.map(\.place) == moves.moves.map(\.place).sorted(by: >))
  }

  @Test func `a glide in no time is a jump`() {
    #expect(ReaderMoves.glide(from: 20, to: 5, in: .zero).moves.last?.place == 5)
  }
}
