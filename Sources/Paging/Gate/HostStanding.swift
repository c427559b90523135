/// How a host stands with the gate at a moment: what is in flight to it, what waits, and until when.
public struct HostStanding: Sendable, Equatable {
  /// With its port unless it is the default.
  public let host: String
  /// Attempts in flight.
  public let inFlight: Int
  /// Calls that wait to be sent.
  public let waiting: Int
  /// How many may be in flight.
  public let limit: Int
  /// Until when the host has asked not to be called; a time that is over says nothing.
  public let closedUntil: Instant
  /// When the next of those that wait may be sent, by its rate limit or as a further try; nil if that depends on an answer.
  public let nextSend: Instant?
}

extension RequestGate {
  /// The hosts that something is in flight to or waits for, or of which something was found out; by name.
  public var hosts: [HostStanding] {
    lanes.map { name, lane in
      let automatic = lane.automatic
      return HostStanding(
        host: name, inFlight: lane.inFlight + (automatic?.inFlight ?? 0), waiting: lane.queue.count,
        limit: automatic?.limit ?? Int(max(1, lane.width)), closedUntil: lane.closedUntil,
        nextSend: lane.queue.isEmpty ? nil : nextSend(lane))
    }.sorted { $0.host < $1.host }
  }
}
