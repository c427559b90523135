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
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let site = Site(loop, page: settings.page)
    do {
      let channel = try bootstrap(group, site).bind(host: settings.address.host, port: settings.address.port)
        .wait()
      let port = channel.localAddress?.port ?? settings.address.port
      let admission = Admission(ListenAddress(host: settings.address.host, port: port), token: token)
      try loop.submit { site.admission = admission }.wait()
      PageServer.Kind.serves.frame("\(port)").write(to: socket)
    } catch {
      let number = (error as? IOError)?.errnoCode ?? EADDRNOTAVAIL
      PageServer.Kind.fails.frame("\(number)").write(to: socket)
      _exit(1)
    }
    var isOver = false
    while !isOver, let frame = SideFrame.read(from: socket) {
      switch PageServer.Kind(rawValue: frame.kind) {
      case .state: loop.execute { site.publish(state: frame.bytes) }
      case .metrics: loop.execute { site.metrics = ByteBuffer(bytes: frame.bytes) }
      case .end: isOver = true
      case .serves, .fails, nil: break
      }
    }
    let ended = loop.flatSubmit { [isOver] in site.end(isOver: isOver) }
    let late = loop.scheduleTask(in: .seconds(1)) { _exit(0) }
    try? ended.wait()
    late.cancel()
    _exit(0)
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
