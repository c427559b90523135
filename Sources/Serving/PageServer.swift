import Glibc

/// A process beside a run that serves its page: started before the run is caged, and gone with it, however that ends.
///
/// The run only writes to a socket, never waits for it while it goes on, and leaves out what the process has no time for: no
/// browser slows a run down, and nothing that a browser sends reaches it.
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

    public init(address: ListenAddress, page: @escaping (String) -> String) {
      (self.address, self.page) = (address, page)
    }
  }

  /// Why nothing is served.
  public struct Failure: Error, Sendable, Equatable {
    /// The system's error.
    public let number: Int32
  }

  /// Where a browser finds it.
  public let url: String
  private let socket: Int32
  private let process: pid_t
  /// What was not written yet.
  private var rest: [UInt8] = []
  private var isOpen = true

  /// Begins to serve; the process must still have a single thread.
  public init(_ settings: Settings) throws(Failure) {
    let token = settings.address.isLoopback ? nil : Self.newToken()
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      throw Failure(number: errno)
    }
    // Signals wait until the child has said what it does with them.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigprocmask(SIG_SETMASK, &all, &before)
    let child = fork()
    if child == 0 {
      close(ends[0])
      ServerProcess(settings, token: token, before).live(socket: ends[1])
    }
    let reason = errno
    sigprocmask(SIG_SETMASK, &before, nil)
    close(ends[1])
    guard child > 0 else {
      close(ends[0])
      throw Failure(number: reason)
    }
    guard let answer = ServerFrame.read(8, from: ends[0]) else { throw Self.ended(child, ends[0], EIO) }
    let numbers = answer.withUnsafeBytes {
      ($0.loadUnaligned(as: Int32.self), $0.loadUnaligned(fromByteOffset: 4, as: Int32.self))
    }
    guard numbers.0 == 0 else { throw Self.ended(child, ends[0], numbers.0) }
    (socket, process) = (ends[0], child)
    url = Self.url(of: settings.address, port: Int(numbers.1), token: token)
    // A process that is gone is an error of writing.
    signal(SIGPIPE, SIG_IGN)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    var room = Int32(1 << 20)
    _ = setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { if isOpen { close(socket) } }

  /// Whether there is room for news: what was told before has been taken.
  public func hasRoom() -> Bool {
    write()
    return isOpen && rest.isEmpty
  }

  /// Tells the newest state, unless the one before was not taken yet.
  public func publish(state: String, metrics: String) {
    guard hasRoom() else { return }
    rest = ServerFrame.bytes(.metrics, metrics) + ServerFrame.bytes(.state, state)
    write()
  }

  /// Tells the last state, and waits a moment at most until those who look have it.
  public func finish(state: String, metrics: String) {
    guard isOpen else { return }
    rest +=
      ServerFrame.bytes(.metrics, metrics) + ServerFrame.bytes(.state, state) + ServerFrame.bytes(.end, "")
    var tries = 20
    while isOpen, !rest.isEmpty, tries > 0 {
      tries -= 1
      var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      _ = poll(&entry, 1, 50)
      write()
    }
    finish()
  }

  private func finish() {
    guard isOpen else { return }
    isOpen = false
    // It closes its end when those who look have everything, or a second has passed.
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, 1_500)
    close(socket)
    var status: Int32 = 0
    if waitpid(process, &status, WNOHANG) == 0 { usleep(5_000) }
    _ = waitpid(process, &status, WNOHANG)
  }

  /// Writes what can be written now.
  private func write() {
    while isOpen, !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(socket, $0.baseAddress, $0.count) }
      if count > 0 {
        rest.removeFirst(count)
      } else if count < 0, errno == EAGAIN {
        return
      } else if count == 0 || errno != EINTR {
        // The process is gone; the run goes on.
        isOpen = false
        close(socket)
      }
    }
  }

  private static func ended(_ child: pid_t, _ socket: Int32, _ number: Int32) -> Failure {
    close(socket)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return Failure(number: number)
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
