import CCurl
import Glibc
import Items
import JSON
import Paging

/// The transfers of a client under way, for one thread at a time; libcurl is loaded and initialised with the first one.
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

  /// How many there are.
  var count: Int { exchanges.count }

  /// Can be read when there is something to do; -1 before the first one.
  var descriptor: Int32 { client.map(ccurl_client_descriptor) ?? -1 }

  /// When there is something to do at the latest; nil is never.
  var timeLeft: Duration? {
    guard let left = client.map(ccurl_client_time_left), left >= 0 else { return nil }
    return .nanoseconds(left)
  }

  /// Loads libcurl, ahead of the first transfer.
  func prepare() { client = client ?? makeClient() }

  /// Applies these permissions to transfers that start from now on.
  func permit(_ permissions: Permissions) { self.permissions = permissions }

  /// Ends one without an answer, if it is there.
  func cancel(_ id: HostCallID) {
    if let exchange = exchanges.removeValue(forKey: id) { ccurl_transfer_cancel(exchange.transfer) }
  }

  /// Starts one, whose first bytes are sent when it goes on.
  func start(_ outgoing: OutgoingRequest) {
    let (request, address) = (outgoing.request, outgoing.address)
    func fail(_ kind: HostFailure.Code, _ reason: String) {
      outgoing.reply(.failed(HostFailure(kind, reason)))
    }
    if let problem = request.problem { return fail(.invalid, problem) }
    prepare()
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

  /// Does what can be done without waiting for one of them, and answers what is complete; false if there is nothing else to do now.
  @discardableResult
  func advance() -> Bool {
    guard let client, !exchanges.isEmpty else { return false }
    var result = ccurl_result()
    let wasReady = ccurl_client_perform(client)
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
    return wasReady
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
      ccurl_transfer_set_encrypted(transfer)
      ccurl_transfer_set_trust(
        transfer, hostVariable("CURL_CA_BUNDLE") ?? hostVariable("SSL_CERT_FILE"),
        hostVariable("SSL_CERT_DIR"))
    }
  }
}
