public import Paging

/// The mean of something that has a value at every time, such as the items held.
public struct TimeAverage: Sendable, Equatable {
  private var value: Double
  private var since: Instant
  private let start: Instant
  /// The value times the seconds that it lasted, up to the last change.
  public private(set) var area = 0.0

  /// The value holds from that time on.
  public init(_ value: Double = 0, from start: Instant = .zero) {
    self.value = value
    self.start = start
    since = start
  }

  /// Another value holds from that time on. A time before the last one counts as that.
  public mutating func set(_ value: Double, at time: Instant) {
    if time > since {
      area += self.value * (time - since).inSeconds
      since = time
    }
    self.value = value
  }

  /// The value times seconds up to that time.
  public func area(until end: Instant) -> Double {
    end > since ? area + value * (end - since).inSeconds : area
  }

  /// The mean up to that time; the value itself where no time has passed.
  public func mean(until end: Instant) -> Double {
    let end = max(end, since)
    return end > start ? area(until: end) / (end - start).inSeconds : value
  }
}
