import Glibc

/// Files that the host writes when the cage is entered already. Those that are not there are made before, so that the cage can
/// grant the file and not the folder around it; what stays empty is removed in the end.
public struct CageFiles {
  /// What the broker has to do for them.
  public private(set) var duties = CageBroker.Duties()
  private var inPlace: [String] = []
  private var folders: [String] = []

  /// No files.
  public init() {}

  /// A file that is written in place, later; `-` is none.
  public mutating func add(_ path: String) {
    guard path != "-", let resolved = ResolvedPath(path)?.path else { return }
    let file = Glibc.open(resolved, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if file >= 0 {
      close(file)
      duties.made.append(resolved)
    }
    inPlace.append(resolved)
  }

  /// A file that was made, and is open.
  public mutating func add(made path: String) {
    if let resolved = ResolvedPath(path)?.path { duties.made.append(resolved) }
  }

  /// Where items go, which is open. A database has files beside it, which come and go: so its folder is granted as a whole.
  public mutating func add(_ output: OutputPlace) {
    if let made = output.made { duties.made.append(made) }
    let path = output.configuration.path
    switch output.way {
    case .open where output.configuration.format == .sqlite: folders.append(CagePath.folder(of: path))
    case .open: add(path)
    case .text(let staged):
      guard let duty = staged.duty else { return }
      duties.staged.append(duty)
      if output.configuration.format == .csv { duties.replaced += [duty.partial, duty.target] }
    case .folder:
      if let resolved = ResolvedPath(path)?.path { folders.append(resolved) }
    case .database: folders.append(CagePath.folder(of: path))
    }
  }

  /// Has the broker keep an output that is empty because there were no items.
  public static func keep(_ output: SinkConfiguration) {
    guard let broker = CageBroker.current, let resolved = ResolvedPath(output.path)?.path else { return }
    broker.keep(resolved)
  }

  /// Grants them.
  public func grant(in cage: inout Cage) {
    cage.inPlace += inPlace
    cage.writing = cage.writing.adding(folders)
  }
}
