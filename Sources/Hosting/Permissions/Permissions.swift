public import Paging

/// What a run may reach; nothing, unless it was granted.
public struct Permissions: Sendable, Equatable {
  /// Hosts, for `http`.
  public var net: Access<NetPattern>
  /// Files and folders with all that is below them; relative ones count from the current folder.
  public var read: Access<String>
  /// As `read`; to write does not include to read.
  public var write: Access<String>
  /// Names of variables.
  public var environment: Access<String>

  /// Permissions as given; what is left out is not granted.
  public init(
    net: Access<NetPattern> = Access(), read: Access<String> = Access(),
    write: Access<String> = Access(), environment: Access<String> = Access()
  ) {
    self.net = net
    self.read = read
    self.write = write
    self.environment = environment
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

  /// Why the call, as `fs.read`, may not read the file or folder, or nil. Symlinks are followed before the check.
  public func checkRead(_ path: String, for call: String) -> HostFailure? {
    check(path, read, "\(call) may not read", "read")
  }

  /// Why the call, as `fs.write`, may not write the file, or nil. Symlinks are followed before the check.
  public func checkWrite(_ path: String, for call: String) -> HostFailure? {
    check(path, write, "\(call) may not write", "write")
  }

  /// Why the call, as `env.get`, may not read the variable, or nil.
  public func checkEnvironment(_ name: String, for call: String) -> HostFailure? {
    environment.refusal { $0.utf8.elementsEqual(name.utf8) }.map {
      failure($0, "\(call) may not read the variable \(name.escapingControls)", "env", name)
    }
  }

  private func check(
    _ path: String, _ access: Access<String>, _ claim: String, _ kind: String
  ) -> HostFailure? {
    guard let target = ResolvedPath(path) else {
      return HostFailure(.invalid, "\"\(path.escapingControls)\" is not a path")
    }
    return access.refusal { ResolvedPath($0).map(target.isWithin) ?? false }.map {
      let shown = path.escapingControls
      let real = target.path.escapingControls
      let name = real.hasSuffix(shown) ? shown : "\(shown) (which is \(real))"
      return failure($0, "\(claim) \(name)", kind, target.path)
    }
  }

  private func failure(
    _ refusal: Refusal, _ claim: String, _ kind: String, _ resource: String
  ) -> HostFailure {
    switch refusal {
    case .notGranted:
      HostFailure(
        .denied, "\(claim): it was not granted",
        needs: "--allow-\(kind)=\(resource.escapingControls)")
    case .denied: HostFailure(.denied, "\(claim): --deny-\(kind) forbids it")
    }
  }
}
