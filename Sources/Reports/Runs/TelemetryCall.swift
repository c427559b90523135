import Items
public import Paging

/// A call of a run to the outside, as far as its page tells of it.
public enum TelemetryCall: Sendable {
  case request(method: String, url: String)
  /// Items for the output.
  case delivery
  case sleep(Duration)
  /// A reading begins; which part of which source.
  case begin(source: String, partition: String)
  /// A partition that another thread reads.
  case read(source: String, partition: String)
  /// Anything else, in two words.
  case other(StaticString)

  /// What a host call is on the page.
  public init(_ call: HostCall) {
    self =
      switch call {
      case .http(let request), .request(let request, _): .request(method: request.method, url: request.url)
      case .sleep(let duration): .sleep(duration)
      case .idle: .other("time to open more")
      case .emit: .delivery
      case .begin(let request): .begin(source: request.source, partition: request.partition)
      case .read(let partition):
        .read(source: partition.source, partition: partition.parameters.string)
      case .beginStep: .other("a step")
      case .readFile, .fileExists, .listFiles, .openLines, .nextLines, .listPage: .other("a file")
      case .writeFile: .other("a file to write")
      case .openDatabase, .connectDatabase, .query, .openRows, .nextRows, .execute: .other("a database")
      case .close: .other("a handle")
      case .environment: .other("the environment")
      }
  }
}

/// The answer to such a call.
public enum TelemetryReply: Sendable {
  case response(status: Int, bytes: Int)
  case begun(reading: Int, isDone: Bool)
  case failed(String)
  case done

  /// What a host's reply is on the page.
  public init(_ reply: HostReply) {
    self =
      switch reply {
      case .response(let response): .response(status: response.status, bytes: response.body.count)
      case .begun(let reading): .begun(reading: reading.id, isDone: reading.isDone)
      case .failed(let failure): .failed(failure.message)
      case .done, .bytes, .lines, .rows, .page, .handle, .count, .flag, .names, .text, .step: .done
      }
  }
}

/// The counts of a run at a moment, and what only whoever runs it can see.
public struct TelemetrySample: Sendable {
  public var statistics = Statistics()
  /// Items that there will be in the end, as far as the sources say so.
  public var expected: Int?
  /// Items that sources have but did not send.
  public var missing = 0
  /// The hosts that requests go to, as the gate has them.
  public var hosts: [HostStanding] = []
  /// Bytes of memory that the process has, and seconds of a processor that it took.
  public var memory = 0
  public var processor = 0.0

  public init() {}
}
