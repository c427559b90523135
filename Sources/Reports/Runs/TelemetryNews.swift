/// What is told of a run that several processes do, by whoever hands out its partitions.
///
/// Partitions and workers go by names; those that were never heard of are new. Whatever is told twice counts once.
public enum TelemetryNews: Sendable, Equatable {
  /// There is a partition, which nobody reads yet.
  case listed(id: String, source: String, parameters: String)
  /// There are no others.
  case listedAll
  /// A worker is there.
  case came(worker: String, machine: String)
  /// A worker reads a partition, of which so many items were there before.
  case began(id: String, worker: String, items: Int)
  /// So many items of a partition are there.
  case reached(id: String, items: Int)
  /// All items of a partition are there; they may have been before.
  case done(id: String, items: Int, isNew: Bool)
  /// A partition can't be read.
  case failed(id: String, message: String)
  /// A worker reads a partition no further, since another one does.
  case leftToAnother(id: String, worker: String)
  /// What a worker has done so far, and how long ago it gave a sign of life.
  case counted(worker: String, WorkerCounts, silent: Double)
  /// A worker has ended; the reason is empty where it was at its end.
  case gone(worker: String, reason: String)
  /// What all workers together are granted for a host.
  case gate(host: String, GateStanding)
  /// A host has asked everybody to wait.
  case closed(host: String, seconds: Double)
  case logged(level: String, message: String)
}

/// What one worker has done.
public struct WorkerCounts: Sendable, Equatable {
  public var pages = 0
  public var requests = 0
  public var retries = 0
  public var bytes = 0
  /// Pages on their way.
  public var inFlight = 0

  public init() {}

  /// Saturating: whoever tells them may tell anything.
  static func + (left: WorkerCounts, right: WorkerCounts) -> WorkerCounts {
    var sum = left
    for member in [\WorkerCounts.pages, \.requests, \.retries, \.bytes, \.inFlight] {
      sum[keyPath: member] = min(left[keyPath: member] + right[keyPath: member], most)
    }
    return sum
  }

  private static let most = 1 << 61
}

/// The gate of a host that several processes ask for permits.
public struct GateStanding: Sendable, Equatable {
  /// Permits that count now.
  public var granted = 0
  /// How many may in so many seconds; nil without a rate.
  public var width: Int?
  public var seconds = 1.0
  /// Requests that wait for a permit, and workers that have them.
  public var waiting = 0
  public var workers = 0

  public init() {}
}
