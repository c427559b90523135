import Glibc

/// Serves a page of a run in a process beside it.
///
/// The run leaves out what the process has no time for: no browser slows a run down, and nothing that a browser sends reaches
/// it.
///
/// ```swift
/// let server = try PageServer(PageServer.Settings(address: address, page: { html(nonce: $0) }))
/// server.publish(state: json, metrics: text)
/// server.finish(state: json, metrics: text)
/// ```
public final class PageServer {
  /// What is served.
  public struct Settings {
    public var address: ListenAddress
    /// The page with a nonce for its style and script.
    public var page: (_ nonce: String) -> String
    /// Called in the server's process when its socket is bound: gives up what it needs no more, or fails.
    public var enclose: () throws(SideProcess.Failure) -> Void = {}

    public init(address: ListenAddress, page: @escaping (String) -> String) {
      (self.address, self.page) = (address, page)
    }
  }

  /// What the two processes tell each other.
  enum Kind: UInt8 {
    /// The data of the page, JSON.
    case state
    /// The same as metrics.
    case metrics
    /// The run is over, and these were its last.
    case end
    /// It serves at this port.
    case serves
    /// It does not, for this reason of the system.
    case fails
    /// It does not, since it can't enter its cage.
    case uncaged

    func frame(_ text: String) -> SideFrame { SideFrame(kind: rawValue, text) }
  }

  /// Where a browser finds it.
  public let url: String
  private let process: SideProcess

  /// Begins to serve; the process must still have a single thread.
  public init(_ settings: Settings) throws(SideProcess.Failure) {
    let token = settings.address.isLoopback ? nil : Self.newToken()
    process = try SideProcess { ServerProcess(settings, token: token).live(socket: $0) }
    guard let word = process.firstWord() else { throw SideProcess.Failure(number: EIO) }
    let text = String(decoding: word.bytes, as: UTF8.self)
    if word.kind == Kind.uncaged.rawValue { throw SideProcess.Failure(number: EPERM, cage: text) }
    guard let number = Int32(text) else { throw SideProcess.Failure(number: EIO) }
    guard word.kind == Kind.serves.rawValue else { throw SideProcess.Failure(number: number) }
    url = Self.url(of: settings.address, port: Int(number), token: token)
  }

  /// Whether what was told before has been taken.
  public var hasRoom: Bool { process.hasRoom }

  /// Tells the newest state, unless the one before was not taken yet.
  public func publish(state: String, metrics: String) {
    guard process.hasRoom else { return }
    process.tell([Kind.metrics.frame(metrics), Kind.state.frame(state)])
  }

  /// Tells the last state, and waits a moment at most until those who look have it.
  public func finish(state: String, metrics: String) {
    process.tell([Kind.metrics.frame(metrics), Kind.state.frame(state), Kind.end.frame("")])
    process.finish(within: 1_500)
  }

  private static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func url(of address: ListenAddress, port: Int, token: String?) -> String {
    var name = address.host
    if address.isAny {
      var buffer = [CChar](repeating: 0, count: 256)
      if gethostname(&buffer, 255) == 0 {
        name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    let place = ListenAddress(host: name, port: port).text
    return "http://\(place)/" + (token.map { "?token=\($0)" } ?? "")
  }
}
