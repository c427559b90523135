/// How many bytes a link can have carried since the start of its trace; monotonic.
protocol Capacity: Sendable {
  /// Bytes up to a time in seconds.
  func bytes(until time: Double) -> Double
  /// The first time at which that many bytes are carried; infinite if never.
  func time(carrying bytes: Double) -> Double
}

/// A constant rate.
struct ConstantCapacity: Capacity {
  let bytesPerSecond: Double

  func bytes(until time: Double) -> Double { time * bytesPerSecond }
  func time(carrying bytes: Double) -> Double { bytes / bytesPerSecond }
}

/// A trace started at an offset.
struct ShiftedCapacity: Capacity {
  let trace: any Capacity
  let shift: Double

  func bytes(until time: Double) -> Double { trace.bytes(until: time + shift) }
  func time(carrying bytes: Double) -> Double { trace.time(carrying: bytes) - shift }
}
