import Glibc

/// Files the host writes after the cage is entered. Missing ones are created before, so that the cage can grant the
/// file and not its directory; those still empty are removed at the end.
public struct CageFiles {
  /// The broker's duties for them.
  public private(set) var duties = CageBroker.Duties()
  private var inPlace: [String] = []
  /// Those of them that are read, too.
  private var readBack: [String] = []
  private var folders: [String] = []
  /// What the connection to a server needs to be made again.
  private var server: ServerReach?

  /// No files.
  public init() {}

  /// A file written in place later; a standard stream is open already.
  public mutating func add(_ path: String) {
    guard StandardStream(path: path) == nil, let resolved = ResolvedPath(path)?.path else { return }
    let file = Glibc.open(resolved, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if file >= 0 {
      close(file)
      duties.made.append(resolved)
    }
    inPlace.append(resolved)
  }

  /// A file that was created, and is open.
  public mutating func add(made path: String) {
    if let resolved = ResolvedPath(path)?.path { duties.made.append(resolved) }
  }

  /// The open output. A database has temporary files next to it, so its whole directory is granted.
  public mutating func add(_ output: OutputPlace) {
    if let made = output.made { duties.made.append(made) }
    if let state = output.stateFile {
      duties.made += state.paths
      inPlace += state.paths
      readBack += state.paths
    }
    let path = output.configuration.path
    switch output.way {
    case .open where output.configuration.format.hasTables: folders.append(CagePath.folder(of: path))
    case .open: add(path)
    case .text(let staged):
      guard let duty = staged.duty else { return }
      duties.staged.append(duty)
      if output.configuration.format == .csv { duties.replaced += [duty.partial, duty.target] }
    case .folder:
      if let resolved = ResolvedPath(path)?.path { folders.append(resolved) }
    case .database: folders.append(CagePath.folder(of: path))
    case .file:
      let isFolder = output.configuration.isFolder
      folders.append((isFolder ? ResolvedPath(path)?.path : nil) ?? CagePath.folder(of: path))
      readBack += CageFiles.limits
      addSpills(of: output.configuration)
    case .server(let link): server = link.reach
    }
  }

  /// The folder in which a database in a file puts what its memory does not hold: none can be made in the cage.
  private mutating func addSpills(of output: SinkConfiguration) {
    guard let path = ResolvedPath(output.path)?.path else { return }
    let folder = (output.parquet(at: path)?.stage ?? path) + ".tmp"
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { return }
    duties.made.append(folder)
  }

  /// Where a database that shares the machine with others learns how much of it is its own.
  private static let limits = [
    "/proc/self/cgroup", "/proc/self/mountinfo", "/proc/self/stat", "/proc/meminfo", "/proc/cpuinfo",
    "/sys/fs/cgroup", "/sys/devices/system/cpu",
  ]

  /// Makes the broker keep an output that is empty because there were no items.
  public static func keep(_ output: SinkConfiguration) {
    guard let broker = CageBroker.current, let resolved = ResolvedPath(output.path)?.path else { return }
    broker.keep(resolved)
  }

  /// Grants them in the cage.
  public func grant(in cage: inout Cage) {
    cage.inPlace += inPlace
    cage.reading = cage.reading.adding(readBack)
    cage.writing = cage.writing.adding(folders)
    if let server {
      cage.net = cage.net.reaching(server)
      cage.reading = cage.reading.adding(server.files)
      cage.writing = cage.writing.adding(server.folders)
      if !server.folders.isEmpty { cage.reading = cage.reading.adding(CageFiles.limits) }
    }
  }
}
