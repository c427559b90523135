import CCurl
import Glibc
import Items
import Paging

/// Concurrent HTTP exchanges on the loop's thread; libcurl is loaded and initialised by the first request.
///
/// A request is one attempt: redirects are reported, not followed. Connections are reused.
final class HTTPClient {
  private let userAgent: String
  /// Whether a request may go to the numeric address its host resolved to: called after connecting, before anything is
  /// sent. `local` is the local address. Not called through a proxy, whose address is all that is known. Set it before
  /// the first request.
  var mayReach: ((_ address: String, _ local: String, _ port: Int) -> Bool)?
  /// Called for a request on lent connections that found none free: it is to be started again with one, and its id is
  /// forgotten here.
  var needsConnection: ((_ id: HostCallID, _ request: HTTPRequest, _ address: HTTPAddress) -> Void)?
  private var client: OpaquePointer?
  private var exchanges: [HostCallID: Exchange] = [:]
  private var hasUnsent = false

  init(userAgent: String) { self.userAgent = userAgent }

  deinit { client.map(ccurl_client_free) }

  /// Whether an answer may still come.
  var isActive: Bool { !exchanges.isEmpty }

  /// Starts a request; returns the failure of an invalid one. It makes its connection itself, or uses those that are
  /// lent.
  func start(
    _ id: HostCallID, _ request: HTTPRequest, to address: HTTPAddress,
    through connection: Connecting = .itself
  ) -> HostFailure? {
    if let problem = request.problem { return HostFailure(.invalid, problem) }
    client = client ?? makeClient()
    guard let client, let transfer = ccurl_transfer_create(client, Int64(id.number)) else {
      let reason = HTTPLibrary.load() ?? "no memory"
      return HostFailure(.io, "\(reason) for a request to \(address.hostAndPort)")
    }
    describe(transfer, request, address)
    if case .lent(let file) = connection {
      ccurl_transfer_set_lent(transfer, file.flatMap { try? $0.release() } ?? -1)
    }
    guard ccurl_transfer_start(transfer) else {
      return HostFailure(.invalid, "\(address.readable) can't be asked for")
    }
    exchanges[id] = Exchange(transfer: transfer, request: request, address: address)
    hasUnsent = true
    return nil
  }

  /// Sends new requests now, so that they do not wait while answers are processed.
  func sendUnsent() {
    guard hasUnsent, let client else { return }
    hasUnsent = false
    ccurl_client_perform(client)
  }

  /// Cancels an exchange; false if there is none with this id.
  func cancel(_ id: HostCallID) -> Bool {
    guard let exchange = exchanges.removeValue(forKey: id) else { return false }
    ccurl_transfer_cancel(exchange.transfer)
    return true
  }

  /// Does what can be done without waiting, and returns the completed answers.
  func advance() -> [(HostCallID, HostReply)] {
    guard let client, isActive else { return [] }
    var replies: [(HostCallID, HostReply)] = []
    var result = ccurl_result()
    hasUnsent = false
    ccurl_client_perform(client)
    while let transfer = ccurl_client_finished(client, &result) {
      let id = HostCallID(number: Int(result.tag))
      if let exchange = exchanges.removeValue(forKey: id) {
        if result.needs_connection, let needsConnection {
          needsConnection(id, exchange.request, exchange.address)
        } else {
          replies.append((id, exchange.reply(result)))
        }
      }
      ccurl_transfer_recycle(transfer)
    }
    return replies
  }

  /// Waits until an exchange can continue, a descriptor (-1 is none) is readable, or the time in milliseconds has
  /// passed.
  func wait(descriptor: Int32, other: Int32, milliseconds: Int32) {
    if let client { ccurl_client_wait(client, descriptor, other, milliseconds) }
  }

  /// Sends and receives, without an answer to anyone, until the descriptor is readable or the time has passed.
  func goOn(untilReadable descriptor: Int32, milliseconds: Int32) {
    guard let client, isActive else {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&watched, 1, milliseconds)
      return
    }
    ccurl_client_wait(client, descriptor, -1, milliseconds)
    ccurl_client_perform(client)
  }

  private func makeClient() -> OpaquePointer? {
    guard let client = ccurl_client_create() else { return nil }
    if mayReach != nil {
      ccurl_client_set_guard(
        client,
        { context, address, local, port in
          guard let context, let address, let local else { return false }
          let owner = Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
          return owner.mayReach?(String(cString: address), String(cString: local), Int(port)) ?? true
        }, Unmanaged.passUnretained(self).toOpaque())
    }
    return client
  }

  private func describe(_ transfer: OpaquePointer, _ request: HTTPRequest, _ address: HTTPAddress) {
    ccurl_transfer_set_target(transfer, request.method, address.url)
    if let proxy = HTTPProxy(for: address) { ccurl_transfer_set_proxy(transfer, proxy.url) }
    let milliseconds = request.timeoutMilliseconds
    ccurl_transfer_set_limits(transfer, milliseconds, min(milliseconds, 10_000), max(request.maxBody, 0))
    if let (user, password) = address.login { ccurl_transfer_set_login(transfer, user, password) }
    if let body = request.bodyToSend {
      body.withUnsafeBytes { ccurl_transfer_set_body(transfer, $0.baseAddress, $0.count) }
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

/// Where a request's connection comes from.
enum Connecting {
  /// It looks up the name and connects.
  case itself
  /// It is one that was lent to an earlier request, or else this one, if any.
  case lent(FileDescriptor?)
}
