public import Paging

/// What a run may reach; nothing, unless it was granted.
public struct Permissions: Sendable, Equatable {
  /// Hosts, for `http`.
  public var net: Access<NetPattern>
  /// Files and folders with all that is below them; relative ones count from the current folder.
  public var read: Access<String> {
    didSet { reading = PathRules(read) }
  }
  /// As `read`; to write does not include to read.
  public var write: Access<String> {
    didSet { writing = PathRules(write) }
  }
  /// Names of variables.
  public var environment: Access<String>
  private var reading: PathRules
  private var writing: PathRules

  /// Permissions as given; what is left out is not granted.
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

  /// What every script has: reading below its own folder.
  public static func standard(scriptFolder: String) -> Permissions {
    Permissions(read: Access(.only([scriptFolder])))
  }

  /// Everything.
  public static let all = Permissions(
    net: Access(.all), read: Access(.all), write: Access(.all), environment: Access(.all))
}

extension Permissions {
  /// Why the call, as `http.get`, may not reach the URL, or nil; a URL that is none is `.invalid`.
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

  /// Why the call may not have a proxy reach the address, or nil.
  ///
  /// A proxy looks names up by itself, and perhaps otherwise than they are looked up here: whether a name leads to an address that
  /// is denied can't be known, so no name is asked for through it. Addresses in figures, and names where only names are denied,
  /// have been checked and may pass. The proxy itself is not the script's to reach or not; who set the variable chose it.
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

  /// Whether a connection may be used that leads to that address, in figures.
  func mayReach(_ address: String, from local: String, port: Int) -> Bool {
    !net.denied.covers { $0.denies(address: address, local: local, port: port) }
  }

  /// Why the call, as `fs.read`, may not read the file or folder, or nil. Symlinks are followed before the check.
  public func checkRead(_ path: String, for call: String) -> HostFailure? {
    ResolvedPath(path).map { checkRead($0, as: path, for: call) } ?? Permissions.noPath(path)
  }

  /// Why the call, as `fs.write`, may not write the file, or nil. Symlinks are followed before the check.
  public func checkWrite(_ path: String, for call: String) -> HostFailure? {
    ResolvedPath(path).map { checkWrite($0, as: path, for: call) } ?? Permissions.noPath(path)
  }

  /// As above for a path that was resolved, as what the script wrote.
  func checkRead(_ target: ResolvedPath, as path: String, for call: String) -> HostFailure? {
    // The variables of a process are a file too.
    if target.holdsEnvironment, environment != Access(.all) {
      return failure(.notGranted, "\(call) may not read \(path.escapingControls)", "env", nil)
    }
    return reading.refusal(target).map { failure($0, "\(call) may not read", "read", target, as: path) }
  }

  /// As above for a path that was resolved, as what the script wrote.
  func checkWrite(_ target: ResolvedPath, as path: String, for call: String) -> HostFailure? {
    writing.refusal(target).map { failure($0, "\(call) may not write", "write", target, as: path) }
  }

  /// Why the call may not read the file on the way to writing it, or nil: what is not granted passes here, what is denied does not.
  func checkReadDenial(_ target: ResolvedPath, as path: String, for call: String) -> HostFailure? {
    guard reading.refusal(target) == .denied else { return nil }
    return checkRead(target, as: path, for: call)
  }

  /// Why the call, as `env.get`, may not read the variable, or nil.
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
