import Glibc
public import Paging

/// What a run may access; nothing unless granted.
///
/// ```swift
/// var permissions = Permissions.standard(scriptFolder: folder)
/// permissions.net = Access(.only([try NetPattern("api.example.com")]))
/// ```
public struct Permissions: Sendable, Equatable {
  /// Hosts, for `http`.
  public var net: Access<NetPattern>
  /// Files and directories with everything below; relative paths start at the current directory.
  public var read: Access<String> {
    didSet { reading = PathRules(read) }
  }
  /// Like `read`; write permission does not include read permission.
  public var write: Access<String> {
    didSet { writing = PathRules(write) }
  }
  /// Names of variables.
  public var environment: Access<String>
  private var reading: PathRules
  private var writing: PathRules

  /// Permissions as given; everything else is denied.
  public init(
    net: Access<NetPattern> = Access(), read: Access<String> = Access(),
    write: Access<String> = Access(), environment: Access<String> = Access()
  ) {
    self.net = net
    self.read = read
    self.write = write
    self.environment = environment
    reading = PathRules(read)
    writing = PathRules(write)
  }

  /// What every script has: read access below its own directory.
  public static func standard(scriptFolder: String) -> Permissions {
    Permissions(read: Access(.only([scriptFolder])))
  }

  /// Everything.
  public static let all = Permissions(
    net: Access(.all), read: Access(.all), write: Access(.all), environment: Access(.all))
}

extension Permissions {
  /// Why the call, such as `http.get`, may not reach the URL, or nil; `.invalid` for an invalid URL.
  public func checkNet(_ url: String, for call: String) -> HostFailure? {
    do throws(HostFailure) {
      return checkNet(try HTTPAddress(url), for: call)
    } catch {
      return error
    }
  }

  /// Why the call may not reach the address, or nil.
  func checkNet(_ address: HTTPAddress, for call: String) -> HostFailure? {
    let refusal = net.denied.covers { $0.denies(address) } ? .denied : net.refusal { $0.matches(address) }
    return refusal.map {
      failure($0, "\(call) may not reach \(address.hostAndPort)", "net", address.hostAndPort)
    }
  }

  /// Why the call may not reach the address through a proxy, or nil.
  ///
  /// A proxy resolves names by itself, perhaps differently: whether a name leads to a denied address can't be known, so
  /// names are refused. Numeric addresses, and names if only names are denied, have been checked and may pass. The
  /// proxy itself is not subject to the script's permissions; the user chose it.
  func checkNet(_ address: HTTPAddress, through proxy: HTTPProxy, for call: String) -> HostFailure? {
    guard !address.host.isAddress, case .only(let denied) = net.denied,
      let pattern = denied.first(where: { $0.needsAddress })
    else { return nil }
    let name = address.host.text
    return HostFailure(
      .denied,
      "\(call) may not reach \(address.hostAndPort) through the proxy of \(proxy.variable): --deny-net=\(pattern) forbids an "
        + "address, and where a proxy finds \(name) is not known here (no_proxy=\(name) asks it directly)")
  }

  /// Whether a connection to this numeric address may be used.
  func mayReach(_ address: String, from local: String, port: Int) -> Bool {
    !net.denied.covers { $0.denies(address: address, local: local, port: port) }
  }

  /// Why the call, such as `fs.read`, may not read the file or directory, or nil. Symlinks are followed before the
  /// check.
  public func checkRead(_ path: String, for call: String) -> HostFailure? {
    ResolvedPath(path).map { checkRead($0, as: path, for: call) } ?? Permissions.noPath(path)
  }

  /// Why the call, such as `fs.write`, may not write the file, or nil. Symlinks are followed before the check.
  public func checkWrite(_ path: String, for call: String) -> HostFailure? {
    ResolvedPath(path).map { checkWrite($0, as: path, for: call) } ?? Permissions.noPath(path)
  }

  /// The same for a resolved path, with the script's spelling.
  func checkRead(_ target: ResolvedPath, as path: String, for call: String) -> HostFailure? {
    // A process's environment is a file too.
    if target.holdsEnvironment, environment != Access(.all) {
      return failure(.notGranted, "\(call) may not read \(path.escapingControls)", "env", nil)
    }
    return reading.refusal(target).map { failure($0, "\(call) may not read", "read", target, as: path) }
  }

  /// Whether nothing but a grant is missing to read the file or directory.
  func lacksGrant(toRead target: ResolvedPath) -> Bool {
    !target.holdsEnvironment && !target.isDescriptor && reading.refusal(target) == .notGranted
  }

  /// Whether nothing but a grant is missing to reach the address.
  func lacksGrant(toReach address: HTTPAddress) -> Bool {
    !net.denied.covers { $0.denies(address) } && net.refusal { $0.matches(address) } == .notGranted
  }

  /// Whether nothing but a grant is missing to read the variable.
  func lacksGrant(toReadVariable name: String) -> Bool {
    environment.refusal { $0.utf8.elementsEqual(name.utf8) } == .notGranted
  }

  /// The same for a resolved path, with the script's spelling.
  func checkWrite(_ target: ResolvedPath, as path: String, for call: String) -> HostFailure? {
    writing.refusal(target).map { failure($0, "\(call) may not write", "write", target, as: path) }
  }

  /// Why the call may not read the file while writing it, or nil: passes what is not granted, but not what is denied.
  func checkReadDenial(_ target: ResolvedPath, as path: String, for call: String) -> HostFailure? {
    guard reading.refusal(target) == .denied else { return nil }
    return checkRead(target, as: path, for: call)
  }

  /// Why the call, such as `env.get`, may not read the variable, or nil.
  public func checkEnvironment(_ name: String, for call: String) -> HostFailure? {
    environment.refusal { $0.utf8.elementsEqual(name.utf8) }.map {
      failure($0, "\(call) may not read the variable \(name.escapingControls)", "env", name)
    }
  }

  private static func noPath(_ path: String) -> HostFailure {
    HostFailure(.invalid, "\"\(path.escapingControls)\" is not a path")
  }

  private func failure(
    _ refusal: Refusal, _ claim: String, _ kind: String, _ target: ResolvedPath, as path: String
  ) -> HostFailure {
    let shown = path.escapingControls
    let real = target.path.escapingControls
    let name = real.hasSuffix(shown) ? shown : "\(shown) (which is \(real))"
    return failure(refusal, "\(claim) \(name)", kind, target.path)
  }

  private func failure(
    _ refusal: Refusal, _ claim: String, _ kind: String, _ resource: String?
  ) -> HostFailure {
    switch refusal {
    case .notGranted:
      HostFailure(
        .denied, "\(claim): it was not granted",
        needs: "--allow-\(kind)" + (resource.map { "=\($0.escapingControls)" } ?? ""))
    case .denied: HostFailure(.denied, "\(claim): --deny-\(kind) forbids it")
    }
  }
}

/// The kind of access to a file.
enum FileUse {
  case read, write
  /// Writing that also reads, as for a database: reading needs no grant of its own, but must not be denied.
  case change
}

extension Permissions {
  /// The only way to a file named by a script: `body` opens exactly what was checked.
  ///
  /// The path is resolved to one without symlinks, which is checked. `FileDescriptor.open(_:_:)` opens exactly that or
  /// fails: if a directory is swapped for a symlink in between, it fails with `ELOOP`, and everything is repeated,
  /// since the symlink may be legitimate. `lent` is a path that may be read besides.
  func reach<Result>(
    _ path: String, to use: FileUse, for call: String, _ action: String, beside lent: ResolvedPath? = nil,
    _ body: (ResolvedPath) throws(SystemError) -> Result
  ) throws(HostFailure) -> Result {
    var attempt = 1
    while true {
      let target = try resolve(path, to: use, for: call, beside: lent)
      do throws(SystemError) {
        return try body(target)
      } catch {
        guard error.number == ELOOP, attempt < Permissions.attempts else {
          throw HostFailure(error, action, path)
        }
        attempt += 1
      }
    }
  }

  private func resolve(
    _ path: String, to use: FileUse, for call: String, beside lent: ResolvedPath?
  ) throws(HostFailure) -> ResolvedPath {
    guard let target = ResolvedPath(path) else {
      throw HostFailure(.invalid, "\"\(path.escapingControls)\" is not a path")
    }
    let refusal =
      switch use {
      case .read: checkRead(target, as: path, for: call)
      case .write: checkWrite(target, as: path, for: call)
      case .change: checkWrite(target, as: path, for: call) ?? checkReadDenial(target, as: path, for: call)
      }
    if let refusal, use != .read || lent != target { throw refusal }
    return target
  }

  /// Consecutive swaps, each within microseconds, before the path is given up.
  private static let attempts = 100
}

/// Granted and denied files and directories, resolved.
struct PathRules: Sendable, Equatable {
  private let granted: Grant<ResolvedPath>
  private let deniedAtFirst: Grant<ResolvedPath>
  private let denied: Grant<String>

  /// Grants are resolved once, here: a symlink created later grants nothing. Denials are also resolved again at each
  /// check.
  init(_ access: Access<String>) {
    granted = access.granted.resolved
    deniedAtFirst = access.denied.resolved
    denied = access.denied
  }

  /// Why access to the file is refused, or nil.
  func refusal(_ target: ResolvedPath) -> Refusal? {
    if deniedAtFirst.covers(target.isWithin) { return .denied }
    if denied.covers({ ResolvedPath($0).map(target.isWithin) ?? false }) { return .denied }
    return granted.covers(target.isWithin) ? nil : .notGranted
  }
}

extension Grant<String> {
  /// The current location of the entries; one that can't be resolved covers nothing.
  var resolved: Grant<ResolvedPath> {
    switch self {
    case .none: .none
    case .all: .all
    case .only(let entries): .only(entries.compactMap(ResolvedPath.init))
    }
  }
}
