/// A parameter of a workload kind.
public struct WorkloadParameter: Sendable, Hashable {
  /// Its name, as written.
  public let name: String
  /// The default.
  public let standard: Double
  /// The valid range.
  public let range: ClosedRange<Double>
  /// Its meaning, with the unit.
  public let meaning: String

  init(_ name: String, _ standard: Double, _ range: ClosedRange<Double>, _ meaning: String) {
    self.name = name
    self.standard = standard
    self.range = range
    self.meaning = meaning
  }

  static func flings(_ count: Double) -> WorkloadParameter {
    WorkloadParameter("flings", count, 1...1e5, "flings per session, the mean of an exponential law")
  }

  static let quit = WorkloadParameter("quit", 0.2, 0.001...1, "probability of leaving after a fling")

  /// Values from lab.md 3; the dwell is fitted to Aalto's 5,378 news items. Below 100 dp/s, less than an item per
  /// second, a reader counts as looking: so sessions last as long per item as there.
  static let flinging = [
    WorkloadParameter("reverse", 0.08, 0...1, "probability that a fling goes back"),
    WorkloadParameter("speed", 1800, 1...1e5, "median speed of a fling in dp/s"),
    WorkloadParameter("speedSigma", 0.6, 0...3, "spread of the speed's logarithm"),
    WorkloadParameter("maxSpeed", 8000, 1...1e5, "fastest fling in dp/s"),
    WorkloadParameter("stop", 100, 1...1e4, "speed in dp/s at which a fling on iOS is over"),
    WorkloadParameter("rate", 0.998, 0.5...0.99999, "part of its speed that a fling on iOS keeps per ms"),
    WorkloadParameter("itemHeight", 120, 1...1e5, "height of an item in dp"),
    WorkloadParameter("dwellMu", -0.5, -10...10, "mean logarithm of the seconds that an item is looked at"),
    WorkloadParameter("dwellSigma", 1.13, 0...3, "spread of the same"),
    WorkloadParameter("dwellItems", 3, 0...100, "items looked at in a rest"),
  ]

  static let reading = [
    WorkloadParameter("count", 60, 1...1e5, "items read, the mean of a geometric law"),
    WorkloadParameter("dwell", 4, 0.01...1000, "median seconds per item"),
    WorkloadParameter("dwellSigma", 1.13, 0...3, "spread of the dwell's logarithm"),
    WorkloadParameter("reverse", 0.05, 0...1, "probability of going back to the item before"),
    WorkloadParameter("speed", 4, 0.01...1e4, "items per second on the way to the next"),
  ]

  static let skimming = [
    WorkloadParameter("count", 40, 1...1e5, "glides, the mean of a geometric law"),
    WorkloadParameter("speed", 5, 0.01...1e4, "median items per second of a glide"),
    WorkloadParameter("speedSigma", 0.4, 0...3, "spread of the speed's logarithm"),
    WorkloadParameter("seconds", 2, 0.01...1000, "mean length of a glide"),
    WorkloadParameter("dwell", 0.6, 0.01...1000, "median seconds of a rest"),
    WorkloadParameter("dwellSigma", 1.13, 0...3, "spread of the dwell's logarithm"),
  ]

  static let searching = [
    WorkloadParameter("searches", 5, 1...1e4, "things looked for, the mean of a geometric law"),
    WorkloadParameter("far", 60, 1...1e6, "mean items to the next thing"),
    WorkloadParameter("pause", 0.3, 0.01...1000, "median seconds between two flings of a search"),
    WorkloadParameter("back", 8, 0.01...1e4, "items per second of the way back"),
    WorkloadParameter("study", 6, 0.01...1000, "median seconds spent on a thing found"),
  ]

  static let jumping = [
    WorkloadParameter("jumps", 8, 1...1e4, "jumps per session, the mean of a geometric law"),
    WorkloadParameter("around", 3, 0...1e4, "mean flings after a jump"),
  ]

  static let steady = [
    WorkloadParameter("speed", 5, -1e4...1e4, "items per second, negative towards the start"),
    WorkloadParameter("seconds", 60, 0.001...1e5, "length of the session"),
    WorkloadParameter("first", 0, 0...1e7, "the item that the session begins at"),
  ]
}
