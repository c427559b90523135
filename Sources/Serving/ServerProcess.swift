import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// The process that serves the page: it has the socket to its run, and nothing else of it.
struct ServerProcess {
  private let settings: PageServer.Settings
  private let token: String?
  private let mask: sigset_t

  /// With the signals that were blocked before.
  init(_ settings: PageServer.Settings, token: String?, _ mask: sigset_t) {
    (self.settings, self.token, self.mask) = (settings, token, mask)
  }

  /// Serves until the run has ended, and ends the process.
  func live(socket: Int32) -> Never {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGUSR1, SIGUSR2] {
      signal(number, SIG_IGN)
    }
    let own = close(otherThan: socket)
    var mask = mask
    sigprocmask(SIG_SETMASK, &mask, nil)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let site = Site(loop, page: settings.page)
    do {
      let channel = try bootstrap(group, site).bind(host: settings.address.host, port: settings.address.port)
        .wait()
      let port = channel.localAddress?.port ?? settings.address.port
      let admission = Admission(ListenAddress(host: settings.address.host, port: port), token: token)
      try loop.submit { site.admission = admission }.wait()
      answer(0, Int32(port), on: own)
    } catch {
      answer((error as? IOError)?.errnoCode ?? EADDRNOTAVAIL, 0, on: own)
      _exit(1)
    }
    var isOver = false
    while !isOver, let frame = ServerFrame.read(from: own) {
      switch frame.kind {
      case .state: loop.execute { site.publish(state: frame.bytes) }
      case .metrics: loop.execute { site.metrics = ByteBuffer(bytes: frame.bytes) }
      case .end: isOver = true
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

  /// Two numbers: why it does not serve, 0 if it does, and the port.
  private func answer(_ number: Int32, _ port: Int32, on socket: Int32) {
    var answer = [number, port]
    _ = Glibc.write(socket, &answer, 8)
  }

  /// Outputs and their locks belong to the run alone.
  private func close(otherThan socket: Int32) -> Int32 {
    let own = dup2(socket, 3)
    let nothing = open("/dev/null", O_RDWR)
    for standard in 0..<Int32(3) { dup2(nothing, standard) }
    closefrom(4)
    return own
  }
}
