import Experiments
import Testing

@Suite struct KneeTests {
  /// Points, flat, and the place of the knee.
  private static let fronts: [([Double], Int?)] = [
    ([0, 10, 1, 1, 10, 0], 1), ([0, 10, 2, 6, 3, 1, 4, 0.9, 20, 0], 2),
    // The order of the points and their units are of no importance.
    ([10_000, 0, 0, 0.01, 1_000, 0.001], 2),
    // Straight, bent outwards, or too few.
    ([0, 2, 1, 1, 2, 0], nil), ([0, 10, 9, 9, 10, 0], nil), ([0, 1, 1, 0], nil), ([1, 1], nil),
  ]

  @Test(arguments: fronts) func `the knee is where the front bends`(_ flat: [Double], _ knee: Int?) {
    let points = stride(from: 0, to: flat.count, by: 2).map {
      ParetoFront.Point(x: flat[$0], y: flat[$0 + 1])
    }

    #expect(ParetoFront(points).knee == knee)
  }
}
