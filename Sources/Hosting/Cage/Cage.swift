import CCage
import Glibc

/// The rights that a process running a script keeps. It drops all others in the kernel, permanently, before the first
/// line of the script is loaded: Landlock for files, ports and signals, seccomp for system calls.
///
/// Scripts meet `Permissions` first, whose errors name the option that allows a call. The cage is the layer below, in
/// case Lua, a library or a check has a hole: code that breaks out finds no program to start, no process to inspect,
/// and no file, host or terminal control beyond these.
///
/// It is coarser than the checks above it. Landlock can't express a denial below a granted directory (`--deny-read`,
/// `--deny-write`), nor host names; write access to a directory implies read access; names, sizes and times of files
/// can be queried everywhere; and open descriptors stay open.
///
/// ```swift
/// let cage = Cage(permissions, scriptFolder: folder)
/// let kernel = try cage.enter()
/// ```
public struct Cage: Sendable, Equatable {
  /// Readable files and directories.
  public var reading: Grant<String>
  /// Directories in which files can be created, replaced and removed, or devices. For a file, its directory.
  public var writing: Grant<String>
  /// Existing files that can be written but not replaced.
  public var inPlace: [String] = []
  /// Allowed connections.
  public var net: CageNet

  /// A cage with only what every command needs, and connections if any.
  public init(net: CageNet = .none) {
    reading = .none
    writing = .none
    self.net = net
  }

  /// The rights granted by the permissions to a script in that directory.
  public init(_ permissions: Permissions, scriptFolder: String) {
    reading = permissions.read.granted.adding([scriptFolder])
    writing = permissions.write.granted
    net = CageNet(permissions.net)
    // SQLite reads what it writes.
    if writing == .all { reading = .all }
  }

  /// The cage of a prompt, whose user may grant more at any time: files and network stay open, everything else is
  /// closed.
  public static var ofPrompt: Cage {
    var cage = Cage()
    cage.reading = .all
    cage.writing = .all
    cage.net = .tcp(ports: nil, looksUpNames: true)
    return cage
  }

  /// Enters the cage; the process must be single-threaded. Returns what the kernel supports of it.
  @discardableResult
  public func enter() throws(CageFailure) -> CageKernel {
    let kernel = CageKernel.current
    if net != .none, net != .taken { HTTPLibrary.load() }
    let paths = paths
    let names = paths.map { strdup($0.path) }
    defer { for name in names { free(name) } }
    let granted = zip(names, paths).map { ccage_path(path: $0, rights: $1.rights.rawValue) }
    let step = granted.withUnsafeBufferPointer { granted in
      ports.withUnsafeBufferPointer { ports in
        var rules = rules
        rules.paths = granted.baseAddress
        rules.path_count = granted.count
        rules.ports = ports.baseAddress
        rules.port_count = ports.count
        var held = kernel.held
        return ccage_enter(&rules, &held)
      }
    }
    guard let step else { return kernel }
    throw CageFailure(step: String(cString: step), reason: SystemError.last.reason)
  }

  private var rules: ccage_rules {
    var rules = ccage_rules()
    rules.limits_reading = reading != .all
    rules.limits_writing = writing != .all
    switch net {
    case .none: rules.net = CCAGE_NO_NET
    case .taken: rules.net = CCAGE_TAKEN
    case .passed: rules.net = CCAGE_PASSED
    case .tcp(let ports, let looksUpNames):
      rules.net = looksUpNames ? CCAGE_NAMES : CCAGE_ADDRESSES
      rules.limits_ports = ports != nil
    }
    return rules
  }

  private var ports: [UInt16] {
    guard case .tcp(let ports?, let looksUpNames) = net else { return [] }
    return looksUpNames ? ports + [CageNet.nameServerPort] : ports
  }

  /// The paths that Landlock allows, including those the host itself needs.
  private var paths: [CagePath] {
    var paths = net.neededPaths
    if case .only(let granted) = reading { paths += granted.map(CagePath.init(reading:)) }
    if case .only(let granted) = writing { paths += granted.map(CagePath.init(writing:)) }
    return paths + inPlace.map { CagePath($0, CCAGE_IN_PLACE) }
  }
}
