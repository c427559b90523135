import CCage
import Glibc

/// What a process that runs a script keeps. Everything else it takes away from itself in the kernel, for good, before the first
/// line of the script is loaded: Landlock for files, ports and signals, seccomp for calls of the kernel.
///
/// Scripts meet `Permissions` first, which names what would allow a call. The cage is below it, for the day on which Lua, a
/// library or a check has a hole: what breaks out finds no program to start, no process to look into, and no file, host or
/// terminal command beyond these.
///
/// It is coarser than the checks above it. A denial below a granted folder can't be said in Landlock (`--deny-read`,
/// `--deny-write`), nor can the name of a host; who may write a folder may read it, too; names, sizes and times of files can be
/// asked for everywhere; and what was open before stays open.
public struct Cage: Sendable, Equatable {
  /// Files and folders that can be read.
  public var reading: Grant<String>
  /// Folders in which files can be made, replaced and removed, or devices. For a file it is the folder that it is in.
  public var writing: Grant<String>
  /// Files that are there and can be written, but not replaced.
  public var inPlace: [String] = []
  /// Connections.
  public var net: CageNet

  /// A cage that keeps nothing but what every command needs.
  public init() {
    reading = .none
    writing = .none
    net = .none
  }

  /// What the permissions grant to a script in that folder.
  public init(_ permissions: Permissions, scriptFolder: String) {
    reading = permissions.read.granted.adding([scriptFolder])
    writing = permissions.write.granted
    net = CageNet(permissions.net)
    // SQLite reads what it writes.
    if writing == .all { reading = .all }
  }

  /// The cage of a person who may grant more at any time: files and the net stay open, and everything else is closed.
  public static var ofPrompt: Cage {
    var cage = Cage()
    cage.reading = .all
    cage.writing = .all
    cage.net = .tcp(ports: nil, looksUpNames: true)
    return cage
  }

  /// Enters the cage; there must be no second thread. What the kernel lacks of it is in what is returned.
  @discardableResult
  public func enter() throws(CageFailure) -> CageKernel {
    let kernel = CageKernel.current
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

  /// The paths that Landlock allows, the host's own needs included.
  private var paths: [CagePath] {
    var paths = net.neededPaths
    if case .only(let granted) = reading { paths += granted.map(CagePath.init(reading:)) }
    if case .only(let granted) = writing { paths += granted.map(CagePath.init(writing:)) }
    return paths + inPlace.map { CagePath($0, CCAGE_IN_PLACE) }
  }
}
