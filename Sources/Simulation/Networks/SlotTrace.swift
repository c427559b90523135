/// A repeating list of times at which a link can deliver one packet of 1500 bytes: Mahimahi's format.
public struct SlotTrace: Sendable, Hashable, Capacity {
  /// Bytes per packet.
  public static let packet = 1500.0

  /// Seconds, ascending; the last is the period.
  public let slots: [Double]

  /// Parses one integer of milliseconds per line, ascending, the last above 0.
  public init(mahimahi text: String) throws(TraceTextError) {
    var slots: [Double] = []
    for line in TraceLines(text).all {
      guard let number = Int(line.text), 0...1_000_000_000_000 ~= number else {
        throw TraceTextError(line: line.number, expected: "whole milliseconds from 0 on", found: line.text)
      }
      let seconds = Double(number) / 1000
      guard seconds >= slots.last ?? 0 else {
        throw TraceTextError(line: line.number, expected: "a time from the line before on", found: line.text)
      }
      slots.append(seconds)
    }
    guard let last = slots.last, last > 0 else {
      throw TraceTextError(line: 0, expected: "a last time above 0", found: "\(slots.last ?? 0)")
    }
    self.slots = slots
  }

  /// The time after which it repeats, in seconds.
  public var period: Double { slots[slots.count - 1] }

  func bytes(until time: Double) -> Double {
    let rounds = (time / period).rounded(.down)
    let rest = time - rounds * period
    let after = slots.firstIndex(atLeast: rest.nextUp)
    let used = slots[after] <= rest ? slots.count : after
    return (rounds * Double(slots.count) + Double(used)) * Self.packet
  }

  func time(carrying bytes: Double) -> Double {
    let packets = (bytes / Self.packet).rounded(.up)
    guard packets > 0 else { return 0 }
    let rounds = ((packets - 1) / Double(slots.count)).rounded(.down)
    let slot = Int(packets - 1 - rounds * Double(slots.count))
    return rounds * period + slots[max(0, min(slot, slots.count - 1))]
  }
}
