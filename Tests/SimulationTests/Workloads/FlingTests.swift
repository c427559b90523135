import Simulation
import Testing

@Suite struct FlingTests {
  /// Speed in dp/s, distances in dp, time in seconds: the worked numbers of lab.md 3.
  @Test(arguments: [(500.0, 245.0), (1000, 495), (3000, 1494), (8000, 3991)])
  func `an iOS fling goes as far as UIScrollView`(speed: Double, distance: Double) {
    #expect(abs(Fling.ios(velocity: speed).distance - distance) < 0.6)
    #expect(abs(Fling.ios(velocity: -speed).distance + distance) < 0.6)
  }

  @Test(arguments: [(500.0, 58.0, 0.33), (1000, 194, 0.56), (3000, 1309, 1.25), (8000, 7186, 2.57)])
  func `an Android fling goes as far and takes as long as OverScroller`(
    speed: Double, distance: Double, seconds: Double
  ) {
    let fling = Fling.android(velocity: speed)

    #expect(abs(fling.distance - distance) < 0.6)
    #expect(abs(Fling.splineSpan(velocity: speed) - seconds) < 0.006)
    #expect(abs(fling.span - 0.35 * 2.3582 * Fling.splineSpan(velocity: speed)) < 0.001)
  }

  @Test func `an iOS fling lasts until it is as slow as the stop`() {
    #expect(abs(Fling.ios(velocity: 3000).span - 2.85) < 0.005)
    #expect(abs(Fling.ios(velocity: 3000, rate: 0.99).span - 0.57) < 0.005)
    #expect(Fling.ios(velocity: 5).span == 0)
  }

  @Test(arguments: [
    Motion.glide(velocity: 3), .glide(velocity: -0.5), .decay(velocity: 15, rate: 2.002),
    .decay(velocity: -40, rate: 10), .ballistic(distance: 60, span: 2.1), .ballistic(distance: -4, span: 0.3),
  ])
  func `time and place are inverse, and speed is the slope`(motion: Motion) throws {
    for step in 1..<20 {
      let time = 0.014 * Double(step)
      let distance = motion.distance(at: time)
      let back = try #require(motion.time(toTravel: distance))
      let slope = (motion.distance(at: time + 1e-6) - motion.distance(at: time - 1e-6)) / 2e-6

      #expect(abs(back - time) < 1e-9)
      #expect(abs(slope - motion.velocity(at: time)) < 1e-3)
      #expect(motion.time(toTravel: -distance) == nil)
    }
  }

  @Test func `a push that runs out never gets further`() {
    #expect(Motion.decay(velocity: 10, rate: 2).time(toTravel: 5) == nil)
    #expect(Motion.ballistic(distance: 5, span: 1).time(toTravel: 5.1) == nil)
    #expect(Motion.rest(reported: 9).time(toTravel: 1) == nil)
    #expect(Motion.glide(velocity: 0).time(toTravel: 1) == nil)
  }
}
