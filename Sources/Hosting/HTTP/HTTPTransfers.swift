import CCurl
import Glibc
import Items
import JSON
import Paging

/// The transfers of a client under way, all on one thread, on which libcurl is loaded and initialised.
final class HTTPTransfers {
  private let userAgent: String
  private var permissions: Permissions
  private var client: OpaquePointer?
  private var exchanges: [HostCallID: Exchange] = [:]
  private let indexer = JSONIndexer()

  init(userAgent: String, permissions: Permissions) {
    self.userAgent = userAgent
    self.permissions = permissions
  }

  deinit { client.map(ccurl_client_free) }

  /// Does what it is told until it is told to end.
  func run(_ orders: Letters<HTTPClient.Order>) {
    client = makeClient()
    while true {
      for order in orders.drain() {
        switch order {
        case .start(let request): start(request)
        case .cancel(let id):
          if let exchange = exchanges.removeValue(forKey: id) { ccurl_transfer_cancel(exchange.transfer) }
        case .permit(let permissions): self.permissions = permissions
        case .end: return
        }
      }
      advance()
      guard orders.beginWait() else { continue }
      wait(for: orders.waker)
      orders.finishWait()
    }
  }

  /// Until a transfer can go on, or there is an order.
  private func wait(for waker: Waker) {
    guard let client, !exchanges.isEmpty else { return waker.wait(or: -1, nil) }
    ccurl_client_wait(client, waker.reading, 60_000)
  }

  private func start(_ outgoing: OutgoingRequest) {
    let (request, address) = (outgoing.request, outgoing.address)
    func fail(_ kind: HostFailure.Code, _ reason: String) {
      outgoing.reply(.failed(HostFailure(kind, reason)))
    }
    if let problem = request.problem { return fail(.invalid, problem) }
    client = client ?? makeClient()
    guard let client, let transfer = ccurl_transfer_create(client, Int64(outgoing.id.number)) else {
      return fail(.io, "\(HTTPLibrary.load() ?? "no memory") for a request to \(address.hostAndPort)")
    }
    describe(transfer, request, address, outgoing.proxy)
    if case .lent(let file, _) = outgoing.connection {
      ccurl_transfer_set_lent(transfer, file.flatMap { try? $0.release() } ?? -1)
    }
    guard ccurl_transfer_start(transfer) else {
      return fail(.invalid, "\(address.readable) can't be asked for")
    }
    exchanges[outgoing.id] = Exchange(transfer: transfer, outgoing: outgoing)
  }

  /// Does what can be done without waiting, and answers what is complete.
  private func advance() {
    guard let client, !exchanges.isEmpty else { return }
    var result = ccurl_result()
    ccurl_client_perform(client)
    while let transfer = ccurl_client_finished(client, &result) {
      if let exchange = exchanges.removeValue(forKey: HostCallID(number: Int(result.tag))) {
        if result.needs_connection, case .lent(_, let ask) = exchange.outgoing.connection {
          ask(exchange.outgoing)
        } else {
          exchange.outgoing.reply(indexed(exchange.reply(result), for: exchange.request))
        }
      }
      ccurl_transfer_recycle(transfer)
    }
  }

  /// The reply, its body parsed if somebody is likely to read it as JSON.
  private func indexed(_ reply: HostReply, for request: HTTPRequest) -> HostReply {
    guard request.expectsJSON, case .response(var response) = reply else { return reply }
    response.json = indexer.index(response.body)
    return .response(response)
  }

  private func makeClient() -> OpaquePointer? {
    guard let client = ccurl_client_create() else { return nil }
    ccurl_client_set_guard(
      client,
      { context, address, local, port in
        guard let context, let address, let local else { return false }
        let owner = Unmanaged<HTTPTransfers>.fromOpaque(context).takeUnretainedValue()
        return owner.permissions.mayReach(
          String(cString: address), from: String(cString: local), port: Int(port))
      }, Unmanaged.passUnretained(self).toOpaque())
    return client
  }

  private func describe(
    _ transfer: OpaquePointer, _ request: HTTPRequest, _ address: HTTPAddress, _ proxy: HTTPProxy?
  ) {
    ccurl_transfer_set_target(transfer, request.method, address.url)
    if let proxy { ccurl_transfer_set_proxy(transfer, proxy.url) }
    let milliseconds = request.timeoutMilliseconds
    ccurl_transfer_set_limits(transfer, milliseconds, min(milliseconds, 10_000), max(request.maxBody, 0))
    if let (user, password) = address.login { ccurl_transfer_set_login(transfer, user, password) }
    if let body = request.bodyToSend {
      body.withUnsafeBytes {
        ccurl_transfer_set_body(transfer, $0.baseAddress, $0.count, !request.isIdempotent)
      }
    } else if !request.isIdempotent {
      ccurl_transfer_set_sent_once(transfer)
    }
    for line in request.headerLines(userAgent: userAgent) { ccurl_transfer_add_header(transfer, line) }
    if address.scheme == .https {
      ccurl_transfer_set_multiplexed(transfer)
      ccurl_transfer_set_trust(
        transfer, hostVariable("CURL_CA_BUNDLE") ?? hostVariable("SSL_CERT_FILE"),
        hostVariable("SSL_CERT_DIR"))
    }
  }
}
