import Paging

/// HTTP requests of a loop, which drives them itself where it waits for them; where it is busy, they go on on a thread of their own.
///
/// A request is one attempt: redirects are reported, not followed. Connections are reused. Used on the loop's thread.
final class HTTPClient {
  /// Wakes the loop when it waits.
  var wake: @Sendable () -> Void = {}
  private let userAgent: String
  private var permissions: Permissions
  private let thread = Worker(name: "requests")
  private var shared: SharedTransfers?
  private var share = WaitingShare()

  /// Before anything is sent, the numeric address that a host resolved to has to be one that the permissions do not deny; not
  /// through a proxy, whose address is all that is known.
  init(userAgent: String, permissions: Permissions) {
    self.userAgent = userAgent
    self.permissions = permissions
  }

  deinit { finish() }

  /// Starts the thread, and libcurl on it, for requests that are about to come.
  func prepare() { _ = begun() }

  private func begun() -> SharedTransfers {
    if let shared { return shared }
    let new = SharedTransfers(
      HTTPTransfers(userAgent: userAgent, permissions: permissions), wakeLoop: wake)
    thread.submit { new.serve() }
    shared = new
    return new
  }

  /// Starts a request, and the thread where it was not prepared.
  func start(_ request: OutgoingRequest) {
    let shared = begun()
    let isStarted = drive {
      $0.start(request)
      $0.advance()
    }
    if !isStarted { shared.orders.leave(.start(request)) }
  }

  /// Cancels a request, if there is one with this id; an answer may be on its way.
  func cancel(_ id: HostCallID) {
    if !drive({ $0.cancel(id) }) { shared?.orders.leave(.cancel(id)) }
  }

  /// Applies these permissions to future requests.
  func permit(_ permissions: Permissions) {
    self.permissions = permissions
    if !drive({ $0.permit(permissions) }) { shared?.orders.leave(.permit(permissions)) }
  }

  /// Does what can be done without waiting.
  func advance() {
    guard let shared, !shared.isEmpty else { return }
    share.goOn()
    if share.isBusy { shared.lendTurn() } else { _ = drive { $0.advance() } }
  }

  /// Waits until woken, there is something to do, the descriptor (-1 is none) is readable, or the time has passed; nil is forever.
  /// Returns whether it was woken.
  func wait(for waker: Waker, or input: Int32, _ duration: Duration?) -> Bool {
    guard let shared else { return waker.wait(duration, or: input) }
    share.begin()
    if !share.isBusy {
      var isWoken = false
      let isDriven = drive { transfers in
        let duration = [duration, transfers.timeLeft].compactMap { $0 }.min()
        isWoken = waker.wait(duration, or: input, or: transfers.descriptor)
      }
      if isDriven { return isWoken }
      shared.wantTurn()
    }
    return waker.wait(duration, or: input)
  }

  /// Calls `body` with the transfers if it is the loop's turn, or nobody's.
  private func drive(_ body: (HTTPTransfers) -> Void) -> Bool { shared?.drive(body) ?? false }

  /// Abandons what is under way, and ends the thread.
  func finish() {
    shared?.orders.leave(.end)
    thread.finish()
    shared = nil
  }
}
