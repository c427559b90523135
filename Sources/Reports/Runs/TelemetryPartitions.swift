/// The partitions of a run, in the order in which they began.
struct TelemetryPartitions: Sendable {
  enum State: UInt8, Sendable, CaseIterable {
    case reading, done, failed

    /// The letter in the page's data.
    var letter: String {
      switch self {
      case .reading: "r"
      case .done: "d"
      case .failed: "f"
      }
    }
  }

  /// More are counted only.
  private static let most = 20_000
  private(set) var states: [State] = []
  private(set) var names: [String] = []
  private(set) var counts = [Int](repeating: 0, count: State.allCases.count)
  /// Those beyond what is kept.
  private(set) var more = 0
  private var calls: [Int: Int] = [:]
  private var readings: [Int: Int] = [:]

  var count: Int { states.count + more }

  /// A call begins one.
  mutating func began(_ call: Int, source: String, partition: String) {
    guard states.count < Self.most else { return more += 1 }
    calls[call] = states.count
    states.append(.reading)
    names.append(partition.isEmpty ? source : "\(source) \(partition)")
    counts[Int(State.reading.rawValue)] += 1
  }

  /// The call was answered with a reading of the output.
  mutating func opened(_ call: Int, reading: Int, isDone: Bool) {
    guard let place = calls.removeValue(forKey: call) else { return }
    if isDone { return change(place, to: .done) }
    readings[reading] = place
  }

  /// The call was answered for good.
  mutating func ended(_ call: Int, failed: Bool) {
    guard let place = calls.removeValue(forKey: call) else { return }
    change(place, to: failed ? .failed : .done)
  }

  /// The output has all of a reading.
  mutating func finished(reading: Int) {
    guard let place = readings.removeValue(forKey: reading) else { return }
    change(place, to: .done)
  }

  private mutating func change(_ place: Int, to state: State) {
    counts[Int(states[place].rawValue)] -= 1
    counts[Int(state.rawValue)] += 1
    states[place] = state
  }
}
