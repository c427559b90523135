import Glibc
public import Paging

/// The outside as a live run has it: carries out host calls with real sockets, files and databases, as far as permitted.
///
/// A world belongs to the thread of its loop. Files and databases are opened, and libcurl is prepared, when first used.
public final class World {
  let http: HTTPClient
  /// What calls may reach.
  public private(set) var permissions: Permissions
  private let target: any DeliveryTarget
  private let account: ScriptAccount
  private lazy var files = FileCalls(permissions: permissions, account: account)
  private lazy var databases = DatabaseCalls(permissions: permissions, account: account)
  private var usesFiles = false
  private var usesDatabases = false

  /// A world in which items go to the target, and requests say who asks unless a script does; the account pays for the work.
  public init(
    permissions: Permissions, target: any DeliveryTarget, userAgent: String = "lookahead",
    account: ScriptAccount = ScriptAccount()
  ) {
    self.permissions = permissions
    self.target = target
    self.account = account
    http = HTTPClient(userAgent: userAgent)
    // The client is the world's own, and nobody else keeps it.
    http.mayReach = { [unowned self] address, local, port in
      self.permissions.mayReach(address, from: local, port: port)
    }
  }

  /// Has the calls from here on reach what these permissions grant; those under way go on.
  public func permit(_ permissions: Permissions) {
    self.permissions = permissions
    if usesFiles { files.permit(permissions) }
    if usesDatabases { databases.permit(permissions) }
  }

  /// Waits for calls under way on files and databases, and closes them.
  public func finish() {
    if usesFiles { files.finish() }
    if usesDatabases { databases.finish() }
  }

  /// After what time `watch` is to be called, if nothing else happens before; nil where that is not needed.
  var watchInterval: Duration? { usesDatabases && databases.isActive ? .milliseconds(250) : nil }

  /// Ends calls that have no time left.
  func watch() { if usesDatabases { databases.abandonOverdue() } }

  /// How a call began.
  enum Start {
    case answered(HostReply)
    /// `reply` is called, or `http` has the answer in time.
    case underWay
    /// The loop answers `.done` after that time.
    case asleep(Duration)
  }

  /// Begins a call; `reply` is called once, on any thread, unless the answer is there or comes another way.
  func start(
    _ id: HostCallID, _ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void
  ) -> Start {
    switch call {
    case .http(let request):
      return start(id, request)
    case .sleep(let duration):
      // A hundred years are for ever, and can be added to any time.
      return duration > .zero ? .asleep(min(duration, .seconds(3_200_000_000))) : .answered(.done)
    case .environment(let name):
      return .answered(environment(name))
    case .emit(let delivery):
      if let answer = target.accept(delivery, reply: reply) { return .answered(answer) }
    case .readFile, .writeFile, .fileExists, .listFiles, .openLines, .nextLines:
      performOnFiles(call, reply: reply)
    case .openDatabase, .query, .openRows, .nextRows, .execute:
      performOnDatabases(call, reply: reply)
    case .close(let handle):
      if FileCalls.isFile(handle) {
        performOnFiles(call, reply: reply)
      } else {
        performOnDatabases(call, reply: reply)
      }
    }
    return .underWay
  }

  private func start(_ id: HostCallID, _ request: HTTPRequest) -> Start {
    do throws(HostFailure) {
      let address = try HTTPAddress(request.url)
      let call = "http.\(request.method.lowercased().escapingControls)"
      if let refusal = permissions.checkNet(address, for: call) { throw refusal }
      if let proxy = HTTPProxy(for: address),
        let refusal = permissions.checkNet(address, through: proxy, for: call)
      {
        throw refusal
      }
      if let failure = http.start(id, request, to: address) { throw failure }
      return .underWay
    } catch {
      return .answered(.failed(error))
    }
  }

  private func environment(_ name: String) -> HostReply {
    if let refusal = permissions.checkEnvironment(name, for: "env.get") { return .failed(refusal) }
    return .text(getenv(name).map { String(cString: $0) })
  }

  private func performOnFiles(_ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void) {
    usesFiles = true
    files.perform(call, reply: reply)
  }

  private func performOnDatabases(_ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void) {
    usesDatabases = true
    databases.perform(call, reply: reply)
  }
}

/// Takes the items that a program emits, in the order in which they come.
public protocol DeliveryTarget: Sendable {
  /// Accepts one delivery. The answer is `.done` when more may come, or the failure; nil when `reply` will be called with it, once
  /// and on any thread.
  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply?
}

extension DeliveryTarget {
  /// Accepts one delivery and calls `reply` with the answer, at once where it is known.
  public func deliver(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) {
    if let answer = accept(delivery, reply: reply) { reply(answer) }
  }
}
