import Glibc
public import Paging

/// The world of a live run: performs host calls with real sockets, files and databases, as far as permitted.
///
/// A world belongs to its loop's thread. Files, databases and libcurl are initialised on first use.
public final class World {
  private let http: HTTPClient
  /// What calls may reach.
  public private(set) var permissions: Permissions
  /// Who is asked for what the permissions don't grant; nil for nobody.
  public var asking: Asking? { didSet { requests = asking.map { LentRequests(http, $0, waking: wake) } } }
  /// Wakes the loop.
  var wake: @Sendable () -> Void = {} { didSet { http.wake = wake } }
  private var requests: LentRequests?
  private let target: any DeliveryTarget
  private let account: ScriptAccount
  private lazy var files = FileCalls(permissions: permissions, account: account)
  private lazy var databases = DatabaseCalls(permissions: permissions, account: account)
  private lazy var drivers = DriverCalls(permissions: permissions, account: account)
  private var usesFiles = false
  private var usesDatabases = false
  private var usesDrivers = false

  /// A world that delivers items to the target; requests get a user agent unless a script sets one; the account pays
  /// for the work.
  public init(
    permissions: Permissions, target: any DeliveryTarget, userAgent: String = "lookahead",
    account: ScriptAccount = ScriptAccount()
  ) {
    self.permissions = permissions
    self.target = target
    self.account = account
    http = HTTPClient(userAgent: userAgent, permissions: permissions)
  }

  /// Applies these permissions to future calls; those in flight continue.
  public func permit(_ permissions: Permissions) {
    self.permissions = permissions
    http.permit(permissions)
    if usesFiles { files.permit(permissions) }
    if usesDatabases { databases.permit(permissions) }
    if usesDrivers { drivers.permit(permissions) }
  }

  /// Waits for pending calls on files and databases, and closes them; abandons requests.
  public func finish() {
    http.finish()
    if usesFiles { files.finish() }
    if usesDatabases { databases.finish() }
    if usesDrivers { drivers.finish() }
  }

  /// How often `watch` has to be called if nothing else happens; nil if not needed.
  var watchInterval: Duration? {
    usesDatabases && databases.isActive || usesDrivers && drivers.isActive ? .milliseconds(250) : nil
  }

  /// Ends calls that have no time left.
  func watch() {
    if usesDatabases { databases.abandonOverdue() }
    if usesDrivers { drivers.abandonOverdue() }
  }

  /// How a call started.
  enum Start {
    case answered(HostReply)
    /// `reply` will be called.
    case underWay
    /// The loop answers `.done` after that time.
    case asleep(Duration)
  }

  /// Starts a call; `reply` is called once, on any thread, unless the answer is returned or the call is cancelled.
  func start(
    _ id: HostCallID, _ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void
  ) -> Start {
    switch call {
    case .http(let request):
      return start(id, request, reply: reply)
    case .sleep(let duration):
      // A hundred years are forever, and can be added to any time.
      return duration > .zero ? .asleep(min(duration, .seconds(3_200_000_000))) : .answered(.done)
    case .environment(let name):
      return .answered(environment(name, for: id))
    case .read, .request, .idle:
      preconditionFailure("the loop has this from itself: \(call.summary)")
    case .emit(let delivery):
      if let answer = target.accept(delivery, reply: reply) { return .answered(answer) }
    case .begin(let request):
      // While the output is opened, libcurl gets ready for what the reading is likely to ask for.
      if permissions.net.granted != .none { http.prepare() }
      target.begin(request, reply: reply)
    case .beginStep(let key, let parameters):
      target.begin(step: key, parameters, reply: reply)
    case .readFile(let path), .fileExists(let path), .openLines(let path, _),
      .listPage(let path, _, _, _):
      performOnFiles(call, lent: lent(path, for: id, Want.file), reply: reply)
    case .listFiles(let path):
      performOnFiles(call, lent: lent(path, for: id, Want.folder), reply: reply)
    case .writeFile, .nextLines:
      performOnFiles(call, reply: reply)
    case .openDatabase:
      performOnDatabases(call, reply: reply)
    case .connectDatabase:
      usesDrivers = true
      drivers.perform(call, reply: reply)
    case .query(let handle, _), .openRows(let handle, _), .nextRows(let handle, _), .execute(let handle, _):
      performOnDatabases(call, handle, reply: reply)
    case .close(let handle):
      if FileCalls.isFile(handle) {
        performOnFiles(call, reply: reply)
      } else {
        performOnDatabases(call, handle, reply: reply)
      }
    }
    return .underWay
  }

  private func start(
    _ id: HostCallID, _ request: HTTPRequest, reply: @escaping @Sendable (HostReply) -> Void
  ) -> Start {
    do throws(HostFailure) {
      let address = try HTTPAddress(request.url)
      let call = "http.\(request.method.lowercased().escapingControls)"
      let proxy = HTTPProxy(for: address)
      if let refusal = permissions.checkNet(address, for: call) {
        guard proxy == nil, permissions.lacksGrant(toReach: address), let way = asking?.way(address),
          let want = Want(reaching: address), isAllowed(want, for: id)
        else { throw refusal }
        if way == .passed, let requests {
          requests.start(id, request, to: address, reply: reply)
          return .underWay
        }
      }
      if let proxy, let refusal = permissions.checkNet(address, through: proxy, for: call) { throw refusal }
      http.start(OutgoingRequest(id: id, request: request, address: address, proxy: proxy, reply: reply))
      return .underWay
    } catch {
      return .answered(.failed(error))
    }
  }

  private func environment(_ name: String, for id: HostCallID) -> HostReply {
    if let refusal = permissions.checkEnvironment(name, for: "env.get"),
      !(permissions.lacksGrant(toReadVariable: name) && isAllowed(.variable(name), for: id))
    {
      return .failed(refusal)
    }
    guard let value = getenv(name) else { return .text(nil) }
    guard let text = String(validatingCString: value) else {
      return .failed(
        HostFailure(.parse, "env.get: the variable \(name.escapingControls) is no text (expected UTF-8)"))
    }
    return .text(text)
  }

  /// Has requests go on, and sends those whose connections have come.
  func advance() {
    http.advance()
    requests?.advance { [permissions] in permissions.mayReach($0, from: $1, port: $2) }
  }

  /// Waits until woken, requests can go on, the descriptor (-1 is none) is readable, or the time has passed; nil is forever. Returns
  /// whether it was woken.
  func wait(for waker: Waker, or input: Int32, _ duration: Duration?) -> Bool {
    http.wait(for: waker, or: input, duration)
  }

  /// Cancels a request, if there is one with this id.
  func cancel(_ id: HostCallID) {
    requests?.cancel(id)
    http.cancel(id)
  }

  /// Calls that start from now on were made after those until now.
  func endMoment() { asking?.endMoment() }

  /// Whether a person allows what no option does. Meanwhile requests go on.
  private func isAllowed(_ want: Want, for id: HostCallID) -> Bool {
    asking?.allows(want, for: id) ?? false
  }

  /// The path, if a person allows the call what only a grant is missing for.
  private func lent(
    _ path: String, for id: HostCallID, _ want: (ResolvedPath) -> Want
  ) -> LentPath? {
    guard let asking, let target = ResolvedPath(path), permissions.lacksGrant(toRead: target),
      isAllowed(want(target), for: id)
    else { return nil }
    return asking.lend(target)
  }

  private func performOnFiles(
    _ call: HostCall, lent: LentPath? = nil, reply: @escaping @Sendable (HostReply) -> Void
  ) {
    usesFiles = true
    files.perform(call, lent: lent, reply: reply)
  }

  private func performOnDatabases(
    _ call: HostCall, _ handle: Int? = nil, reply: @escaping @Sendable (HostReply) -> Void
  ) {
    if let handle, DriverCalls.isTheirs(handle) {
      usesDrivers = true
      drivers.perform(call, reply: reply)
    } else {
      usesDatabases = true
      databases.perform(call, reply: reply)
    }
  }
}

/// Receives the items a program emits, in order.
public protocol DeliveryTarget: Sendable {
  /// Accepts one delivery. Returns `.done` if more may come, or the failure; nil if `reply` will be called with it,
  /// once and on any thread.
  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply?

  /// Begins a step of a workflow, and calls `reply` with its result if it has ended, once and on any thread.
  func begin(step key: String, _ parameters: String, reply: @escaping @Sendable (HostReply) -> Void)

  /// Begins a reading, and calls `reply` with what is remembered of it, once and on any thread.
  func begin(_ request: ReadingRequest, reply: @escaping @Sendable (HostReply) -> Void)
}

extension DeliveryTarget {
  /// By default, nothing is remembered.
  public func begin(step key: String, _ parameters: String, reply: @escaping @Sendable (HostReply) -> Void) {
    reply(.step(BegunStep(id: 0)))
  }

  /// By default, nothing is remembered.
  public func begin(_ request: ReadingRequest, reply: @escaping @Sendable (HostReply) -> Void) {
    reply(.begun(BegunReading(request)))
  }

  /// Accepts one delivery and calls `reply` with the answer, immediately if known.
  public func deliver(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) {
    if let answer = accept(delivery, reply: reply) { reply(answer) }
  }
}
