import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// The process that serves the page: it has the socket to its run, and nothing else of it.
struct ServerProcess {
  private let settings: PageServer.Settings
  private let token: String?

  init(_ settings: PageServer.Settings, token: String?) { (self.settings, self.token) = (settings, token) }

  /// Serves until the run has ended, and ends the process.
  func live(socket: Int32) -> Never {
    let bound: (descriptor: Int32, port: Int)
    do throws(SideProcess.Failure) {
      // While there is one thread: that is what a cage can be entered with.
      bound = try bind()
      try settings.enclose()
    } catch {
      let word: PageServer.Kind = error.cage.isEmpty ? .fails : .uncaged
      word.frame(error.cage.isEmpty ? "\(error.number)" : error.cage).write(to: socket)
      _exit(1)
    }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let site = Site(loop, page: settings.page)
    let address = ListenAddress(host: settings.address.host, port: bound.port)
    site.admission = Admission(address, token: token)
    do {
      _ = try bootstrap(group, site).withBoundSocket(bound.descriptor).wait()
    } catch {
      PageServer.Kind.fails.frame("\((error as? IOError)?.errnoCode ?? EIO)").write(to: socket)
      _exit(1)
    }
    PageServer.Kind.serves.frame("\(bound.port)").write(to: socket)
    var isOver = false
    while !isOver, let frame = SideFrame.read(from: socket) {
      switch PageServer.Kind(rawValue: frame.kind) {
      case .state: loop.execute { site.publish(state: frame.bytes) }
      case .metrics: loop.execute { site.metrics = ByteBuffer(bytes: frame.bytes) }
      case .end: isOver = true
      case .serves, .fails, .uncaged, nil: break
      }
    }
    let ended = loop.flatSubmit { [isOver] in site.end(isOver: isOver) }
    let late = loop.scheduleTask(in: .seconds(1)) { _exit(0) }
    try? ended.wait()
    late.cancel()
    _exit(0)
  }

  /// A socket at the address, and the port that it got.
  private func bind() throws(SideProcess.Failure) -> (Int32, Int) {
    let address: SocketAddress
    do { address = try SocketAddress(ipAddress: settings.address.host, port: settings.address.port) } catch {
      throw SideProcess.Failure(number: EADDRNOTAVAIL)
    }
    let family: Int32
    switch address {
    case .v4: family = AF_INET
    case .v6: family = AF_INET6
    case .unixDomainSocket: throw SideProcess.Failure(number: EADDRNOTAVAIL)
    }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(family, kind, 0)
    var yes = Int32(1)
    let size = socklen_t(MemoryLayout<Int32>.size)
    guard descriptor >= 0, setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0,
      address.withSockAddr({ Glibc.bind(descriptor, $0, socklen_t($1)) }) == 0, listen(descriptor, 64) == 0
    else { throw SideProcess.Failure(number: errno) }
    // In addresses of both families the port stands behind the number of the family.
    var place = [UInt16](repeating: 0, count: 64)
    var length = socklen_t(MemoryLayout<UInt16>.size * place.count)
    let status = place.withUnsafeMutableBytes {
      getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard status == 0 else { throw SideProcess.Failure(number: errno) }
    return (descriptor, Int(UInt16(bigEndian: place[1])))
  }

  private func bootstrap(_ group: MultiThreadedEventLoopGroup, _ site: Site) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline(withErrorHandling: true).flatMap {
          channel.pipeline.addHandler(SiteHandler(site))
        }
      }
  }
}
