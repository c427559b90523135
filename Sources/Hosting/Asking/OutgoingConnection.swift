import CCage
import Glibc

/// A connection to a host, made outside the cage in a process of its own, and passed on.
struct OutgoingConnection {
  /// The longest that it takes.
  static let seconds = 10
  /// The reason if the host's name leads nowhere.
  static let noSuchHost = ENXIO
  private let host: String
  private let port: Int

  init(_ address: HTTPAddress) {
    host = address.host.text
    port = address.port
  }

  /// Passes the connection, or the reason why there is none. A system that looks a name up for longer is not waited for.
  func pass(through socket: Int32) {
    signal(SIGALRM, SIG_DFL)
    alarm(UInt32(Self.seconds))
    do throws(SystemError) {
      let connection = try connected()
      _ = connection.withNumber { ccage_pass(socket, 0, $0) }
    } catch {
      ccage_pass(socket, -error.number, -1)
    }
  }

  /// The first of the host's addresses that answers.
  private func connected() throws(SystemError) -> FileDescriptor {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else {
      throw SystemError(number: Self.noSuchHost)
    }
    defer { freeaddrinfo(found) }
    var last = SystemError(number: Self.noSuchHost)
    var next = found
    while let address = next?.pointee {
      next = address.ai_next
      do throws(SystemError) {
        return try connected(to: address, milliseconds: next == nil ? Self.seconds * 1000 : 2000)
      } catch {
        last = error
      }
    }
    throw last
  }

  private func connected(to address: addrinfo, milliseconds: Int) throws(SystemError) -> FileDescriptor {
    let kind = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(address.ai_family, kind, address.ai_protocol)
    guard number >= 0 else { throw .last }
    let file = FileDescriptor(taking: number)
    if connect(number, address.ai_addr, address.ai_addrlen) == 0 { return file }
    guard errno == EINPROGRESS else { throw .last }
    var watched = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    guard poll(&watched, 1, Int32(milliseconds)) > 0 else { throw SystemError(number: ETIMEDOUT) }
    var (reason, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    guard getsockopt(number, SOL_SOCKET, SO_ERROR, &reason, &length) == 0 else { throw .last }
    guard reason == 0 else { throw SystemError(number: reason) }
    return file
  }
}
