import NIOCore
import NIOHTTP1

/// One connection of a browser: answers its requests.
final class SiteHandler: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Site
  private var head: HTTPRequestHead?
  private var isListening = false
  private var bodyBytes = 0
  private var idle: Scheduled<Void>?

  private static let mostBody = 65_536

  init(_ site: Site) { self.site = site }

  func channelActive(context: ChannelHandlerContext) {
    if !site.connected() { context.close(promise: nil) }
    watch(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    idle?.cancel()
    site.disconnected(context.channel)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let body):
      bodyBytes += body.readableBytes
      if bodyBytes > Self.mostBody { context.close(promise: nil) }
    case .end:
      guard let head, !isListening else { return }
      self.head = nil
      bodyBytes = 0
      watch(context)
      answer(head, context)
    }
  }

  /// Who asks for nothing is let go.
  private func watch(_ context: ChannelHandlerContext) {
    idle?.cancel()
    let channel = context.channel
    idle = context.eventLoop.scheduleTask(in: .seconds(30)) { [weak self] in
      if self?.isListening != true { channel.close(promise: nil) }
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard head.method == .GET || head.method == .HEAD else {
      return say(.methodNotAllowed, "expected GET", head, context)
    }
    let verdict = site.admission?.verdict(
      host: head.headers["host"], authorization: head.headers.first(name: "authorization"), target: head.uri)
    switch verdict {
    case .admitted: break
    case .wrongHost, nil:
      return say(
        .misdirectedRequest,
        "this page is at another address: open it as the run says it, by 127.0.0.1 or localhost",
        head, context)
    case .noToken:
      return say(
        .forbidden, "the token is missing or wrong: open the address that the run has said", head, context)
    }
    switch head.uri.prefix(while: { $0 != "?" }) {
    case "/": page(head, context)
    case "/state.json":
      guard let state = site.state else { return say(.serviceUnavailable, "not begun", head, context) }
      send(.ok, "application/json; charset=utf-8", state, head, context)
    case "/metrics":
      guard let metrics = site.metrics else { return say(.serviceUnavailable, "not begun", head, context) }
      send(.ok, "text/plain; version=0.0.4; charset=utf-8", metrics, head, context)
    case "/ready":
      say(site.isReady ? .ok : .serviceUnavailable, site.isReady ? "ready" : "not ready", head, context)
    case "/events": listen(head, context)
    default: say(.notFound, "there are /, /state.json, /events, /metrics and /ready", head, context)
    }
  }

  private func page(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var random = SystemRandomNumberGenerator()
    let nonce = String(random.next(), radix: 36) + String(random.next(), radix: 36)
    send(
      .ok, "text/html; charset=utf-8", ByteBuffer(string: site.page(nonce)), head, context,
      policy:
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
  }

  /// A stream of events, which ends with the run.
  private func listen(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard head.method == .GET else { return say(.methodNotAllowed, "expected GET", head, context) }
    isListening = true
    let headers = headers("text/event-stream; charset=utf-8", policy: Self.nothing)
    context.writeAndFlush(
      wrapOutboundOut(.head(HTTPResponseHead(version: head.version, status: .ok, headers: headers))),
      promise: nil)
    site.listen(context.channel)
  }

  private func say(
    _ status: HTTPResponseStatus, _ text: String, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    send(status, "text/plain; charset=utf-8", ByteBuffer(string: text + "\n"), head, context)
  }

  private func send(
    _ status: HTTPResponseStatus, _ kind: String, _ body: ByteBuffer, _ head: HTTPRequestHead,
    _ context: ChannelHandlerContext, policy: String = SiteHandler.nothing
  ) {
    var headers = headers(kind, policy: policy)
    headers.add(name: "content-length", value: "\(body.readableBytes)")
    if !head.isKeepAlive { headers.add(name: "connection", value: "close") }
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: head.version, status: status, headers: headers))),
      promise: nil)
    if head.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
    let channel = context.channel
    let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if !head.isKeepAlive { end.whenComplete { _ in channel.close(promise: nil) } }
  }

  private static let nothing = "default-src 'none'; frame-ancestors 'none'"

  private func headers(_ kind: String, policy: String) -> HTTPHeaders {
    [
      "content-type": kind, "content-security-policy": policy, "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer", "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    ]
  }
}
