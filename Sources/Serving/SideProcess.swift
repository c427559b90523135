import Glibc

/// A process beside this one, outside its cage: forked before the cage is entered, and told what it needs through a socket.
///
/// This process only writes what the socket takes, and never waits for the other one while it goes on. The other one has no
/// file of this one, no terminal and none of its signals; it ends when the socket does.
public final class SideProcess {
  /// Why there is none, or it is of no use.
  public struct Failure: Error, Sendable, Equatable {
    /// The system's error.
    public let number: Int32
    /// The step into its cage that could not be taken, and why; empty where it is something else.
    public let cage: String

    public init(number: Int32, cage: String = "") { (self.number, self.cage) = (number, cage) }
  }

  private let socket: Int32
  /// What was not written yet.
  private var rest: [UInt8] = []
  private var isOpen = true

  /// Starts it: `live` runs in it, with its end of the socket. This process must still have a single thread.
  public init(_ live: (_ socket: Int32) -> Void) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      throw Failure(number: errno)
    }
    // Signals wait until the child has said what it does with them.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigprocmask(SIG_SETMASK, &all, &before)
    // A child of a child that is gone is nobody's here: however long it lives, it need not be waited for.
    let child = fork()
    if child == 0 {
      if fork() == 0 {
        let own = Self.leaveAll(but: ends[1])
        sigprocmask(SIG_SETMASK, &before, nil)
        live(own)
      }
      _exit(0)
    }
    let reason = errno
    var status: Int32 = 0
    while child > 0, waitpid(child, &status, 0) < 0, errno == EINTR {}
    sigprocmask(SIG_SETMASK, &before, nil)
    close(ends[1])
    guard child > 0 else {
      close(ends[0])
      throw Failure(number: reason)
    }
    socket = ends[0]
    // A process that is gone is an error of writing.
    signal(SIGPIPE, SIG_IGN)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    var room = Int32(1 << 20)
    _ = setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { end() }

  /// What it says first, waiting for that; nil if it has ended.
  public func firstWord() -> SideFrame? {
    _ = fcntl(socket, F_SETFL, 0)
    defer { _ = fcntl(socket, F_SETFL, O_NONBLOCK) }
    return SideFrame.read(from: socket)
  }

  /// What it has said since, if anything; nothing is waited for. A word is short, and there as a whole.
  public func word() -> SideFrame? {
    guard isOpen else { return nil }
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) == 1 else { return nil }
    let word = SideFrame.read(from: socket)
    if word == nil { end() }
    return word
  }

  /// Whether it has taken all that it was told.
  public var hasRoom: Bool {
    write()
    return isOpen && rest.isEmpty
  }

  /// Tells it all of these.
  public func tell(_ frames: [SideFrame]) {
    guard isOpen else { return }
    for frame in frames { rest += frame.encoded }
    write()
  }

  /// Waits at most so long until it has taken everything and has ended; what it says meanwhile is passed on.
  public func finish(within milliseconds: Int32, hearing: (SideFrame) -> Void = { _ in }) {
    var left = milliseconds
    while isOpen, left > 0 {
      var entry = pollfd(fd: socket, events: Int16(rest.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
      if poll(&entry, 1, 20) == 0 { left -= 20 }
      left -= 1
      if let word = word() { hearing(word) }
      write()
    }
    end()
  }

  private func end() {
    guard isOpen else { return }
    isOpen = false
    close(socket)
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
        // The process is gone; this one goes on.
        end()
      }
    }
  }

  /// In the child: outputs and their locks belong to the run alone.
  private static func leaveAll(but socket: Int32) -> Int32 {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGUSR1, SIGUSR2] {
      signal(number, SIG_IGN)
    }
    let own = dup2(socket, 3)
    let nothing = open("/dev/null", O_RDWR)
    for standard in 0..<Int32(3) { dup2(nothing, standard) }
    closefrom(4)
    return own
  }
}
