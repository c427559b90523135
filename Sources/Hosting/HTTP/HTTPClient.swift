import Paging

/// HTTP requests of a loop, which go on while its thread is busy: libcurl is on a thread of its own.
///
/// A request is one attempt: redirects are reported, not followed. Connections are reused. Used on the loop's thread.
final class HTTPClient {
  /// What that thread is told.
  enum Order: Sendable {
    case start(OutgoingRequest)
    case cancel(HostCallID)
    /// For the requests behind it.
    case permit(Permissions)
    case end
  }

  private let userAgent: String
  private var permissions: Permissions
  private let orders = Letters<Order>()
  private let thread = Worker(name: "requests")
  private var hasBegun = false

  /// Before anything is sent, the numeric address that a host resolved to has to be one that the permissions do not deny; not
  /// through a proxy, whose address is all that is known.
  init(userAgent: String, permissions: Permissions) {
    self.userAgent = userAgent
    self.permissions = permissions
  }

  deinit { finish() }

  /// Starts the thread, and libcurl on it, for requests that are about to come.
  func prepare() {
    guard !hasBegun else { return }
    hasBegun = true
    thread.submit { [userAgent, permissions, orders] in
      HTTPTransfers(userAgent: userAgent, permissions: permissions).run(orders)
    }
  }

  /// Starts a request, and the thread where it was not prepared.
  func start(_ request: OutgoingRequest) {
    prepare()
    orders.leave(.start(request))
  }

  /// Cancels a request, if there is one with this id; an answer may be on its way.
  func cancel(_ id: HostCallID) { if hasBegun { orders.leave(.cancel(id)) } }

  /// Applies these permissions to future requests.
  func permit(_ permissions: Permissions) {
    self.permissions = permissions
    if hasBegun { orders.leave(.permit(permissions)) }
  }

  /// Abandons what is under way, and ends the thread.
  func finish() {
    orders.leave(.end)
    thread.finish()
  }
}
