import Experiments
import Paging

/// Simulates one session of a workload. Every step has its own random stream, so that changing a parameter affects only
/// what depends on it.
struct SimulatedReader {
  let workload: Workload
  let seed: UInt64
  let session: Int
  /// How the reader looks and pushes, at every step of most workloads.
  private let dwell: (items: Int, median: Double, sigma: Double)
  private let push: (median: Double, sigma: Double, fastest: Double, reverse: Double)
  private let friction: (rate: Double, stop: Double, itemHeight: Double)
  private var builder: PathBuilder
  private var flings = 0

  init(workload: Workload, seed: UInt64, session: Int) {
    self.workload = workload
    self.seed = seed
    self.session = session
    let value = { workload.parameters[$0] ?? 0 }
    dwell = (
      Int(value("dwellItems").rounded()), Elementary.exp(value("dwellMu")), value("dwellSigma")
    )
    push = (value("speed"), value("speedSigma"), value("maxSpeed"), value("reverse"))
    friction = (value("rate"), value("stop"), value("itemHeight"))
    builder = PathBuilder(items: workload.items, length: workload.viewport)
  }

  mutating func walk() -> ScrollPath {
    switch workload.kind {
    case .fling: flingAbout(Int(drawCount { $0.exponential(mean: self["flings"]) }))
    case .quitter: flingAbout(Int(drawCount { Double($0.geometric(mean: 1 / self["quit"])) }))
    case .reader: read()
    case .skimmer: skim()
    case .searcher: search()
    case .jumper: jump()
    case .steady:
      builder.jump(to: self["first"])
      let speed = self["speed"]
      builder.glide(by: speed * self["seconds"], speed: abs(speed))
      builder.rest(for: max(0, self["seconds"] - builder.time))
    case .trace: if let trace = workload.trace { return trace.path }
    }
    return builder.path()
  }

  private subscript(name: String) -> Double { workload.parameters[name] ?? 0 }

  private func stream(_ purpose: String, _ step: Int) -> RandomStream {
    RandomStream(seed: seed, purpose, session, step)
  }

  /// A number of steps, at least 1.
  private func drawCount(_ draw: (inout RandomStream) -> Double) -> Double {
    var stream = stream("count", 0)
    return max(1, min(draw(&stream).rounded(.up), 1e6))
  }

  private mutating func flingAbout(_ count: Int) {
    for _ in 0..<count where !builder.isFull {
      look(flings)
      fling()
    }
  }

  /// Looks at a few items.
  private mutating func look(_ step: Int) {
    var stream = stream("dwell", step)
    let seconds = (0..<dwell.items).reduce(0.0) { sum, _ in
      sum + stream.lognormal(median: dwell.median, sigma: dwell.sigma)
    }
    builder.rest(for: seconds)
  }

  private mutating func fling(mayReverse: Bool = true) {
    var stream = stream("fling", flings)
    flings += 1
    let speed = min(push.fastest, stream.lognormal(median: push.median, sigma: push.sigma))
    let velocity = mayReverse && stream.happens(push.reverse) ? -speed : speed
    let fling =
      switch workload.platform {
      case .ios: Fling.ios(velocity: velocity, rate: friction.rate, stop: friction.stop)
      case .android: Fling.android(velocity: velocity)
      }
    builder.fling(fling, itemHeight: friction.itemHeight)
  }

  private mutating func read() {
    let count = Int(drawCount { Double($0.geometric(mean: self["count"])) })
    for step in 0..<count where !builder.isFull {
      var stream = stream("read", step)
      builder.rest(for: stream.lognormal(median: self["dwell"], sigma: self["dwellSigma"]))
      builder.glide(by: stream.happens(self["reverse"]) ? -1 : 1, speed: self["speed"])
    }
  }

  private mutating func skim() {
    let count = Int(drawCount { Double($0.geometric(mean: self["count"])) })
    for step in 0..<count where !builder.isFull {
      var stream = stream("skim", step)
      let speed = stream.lognormal(median: self["speed"], sigma: self["speedSigma"])
      builder.glide(by: speed * stream.exponential(mean: self["seconds"]), speed: speed)
      builder.rest(for: stream.lognormal(median: self["dwell"], sigma: self["dwellSigma"]))
    }
  }

  private mutating func search() {
    let count = Int(drawCount { Double($0.geometric(mean: self["searches"])) })
    for step in 0..<count where !builder.isFull {
      var stream = stream("search", step)
      let target = builder.position + stream.exponential(mean: self["far"])
      // A push too weak to move anything must not search forever.
      var pushes = 0
      while builder.position < target, !builder.isAtEnd, !builder.isFull, pushes < 10_000 {
        builder.rest(for: stream.lognormal(median: self["pause"], sigma: 0.5))
        fling(mayReverse: false)
        pushes += 1
      }
      builder.rest(for: stream.lognormal(median: self["pause"], sigma: 0.5))
      builder.glide(by: min(0, target - builder.position), speed: self["back"])
      builder.rest(for: stream.lognormal(median: self["study"], sigma: 1))
    }
  }

  private mutating func jump() {
    let count = Int(drawCount { Double($0.geometric(mean: self["jumps"])) })
    for step in 0..<count where !builder.isFull {
      var stream = stream("jump", step)
      look(flings)
      builder.jump(to: (stream.unit() * Double(workload.items ?? 10_000)).rounded(.down))
      let around = self["around"]
      let pushes = around > 0 ? Int(stream.exponential(mean: around).rounded()) : 0
      flingAbout(pushes)
    }
    look(flings)
  }
}
