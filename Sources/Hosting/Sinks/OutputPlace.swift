import Glibc
import Paging

/// The output of a run, opened and locked before anything is fetched and before the cage is entered. Existing contents
/// are unchanged until the first items come.
public final class OutputPlace {
  /// How items are written.
  enum Way {
    /// Standard output, a pipe or a device: opened when the first items come.
    case open
    /// A text file.
    case text(StagedFile)
    /// A directory of text files.
    case folder(FileDescriptor)
    /// A database; its descriptor holds the lock until SQLite has closed its own.
    case database(FileDescriptor)
  }

  /// The configuration it was opened for.
  public let configuration: SinkConfiguration
  private(set) var way: Way
  /// A file or directory that was created here.
  let made: String?
  /// Told what happens to parts, on the sink's thread.
  public nonisolated(unsafe) var partEvents: @Sendable (PartEvent) -> Void = { _ in }
  /// Where the state of texts is kept.
  private(set) var stateFile: StateFile?

  /// Opens it; an existing file is unchanged.
  public init(_ configuration: SinkConfiguration) throws(SinkError) {
    self.configuration = configuration
    if let mistake = configuration.mistake { throw SinkError(mistake) }
    let path = configuration.path
    var status = stat()
    let kind = path == "-" ? nil : stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
    if configuration.format == .sqlite { try SinkDatabase.check(configuration) }
    guard let kind, kind == S_IFREG || kind == S_IFDIR else {
      (way, made) = (.open, nil)
      try makeStateFile()
      return
    }
    guard let resolved = ResolvedPath(path)?.path else {
      throw SinkError(SystemError(number: EINVAL), path: path)
    }
    if configuration.isFolder {
      let isNew = mkdir(resolved, 0o777) == 0
      if !isNew && errno != EEXIST { throw SinkError(.last, "make the folder", path: path) }
      made = isNew ? resolved : nil
      try OutputPlace.checkFolder(resolved, path)
      // In the cage no folder can be made.
      if configuration.parts != nil, mkdir("\(resolved)/parts", 0o777) != 0, errno != EEXIST {
        throw SinkError(.last, "make the folder", path: "\(path)parts")
      }
      let isShared = configuration.parts?.isShared ?? false
      way = .folder(try OutputPlace.locked(resolved, O_RDONLY | O_DIRECTORY, path, isShared: isShared))
    } else if configuration.format == .sqlite {
      // SQLite creates files next to a database.
      try OutputPlace.checkFolder(CagePath.folder(of: path), path)
      made = access(resolved, F_OK) == 0 ? nil : resolved
      let isShared = configuration.state.isShared
      way = .database(try OutputPlace.locked(resolved, O_RDWR | O_CREAT, path, isShared: isShared))
    } else {
      try SinkFile.spareDatabase(path)
      do throws(SinkError) {
        (way, made) = (.text(try StagedFile(path)), nil)
      } catch {
        throw SinkFile.explain(error, path)
      }
    }
    try makeStateFile()
  }

  /// One part of a directory of parts, whose file is there and is written itself.
  init(part path: String, of configuration: SinkConfiguration, keepsState: Bool) throws(SinkError) {
    var own = configuration
    (own.path, own.isFolder, own.parts, own.state.isKept) = (path, false, nil, keepsState)
    self.configuration = own
    (way, made) = (.text(try StagedFile(part: path)), nil)
    if keepsState { stateFile = try StateFile(of: path) }
  }

  deinit { leave() }

  /// Makes the file for the state of texts; where it can't be beside them, nothing is remembered.
  private func makeStateFile() throws(SinkError) {
    let state = configuration.state
    guard state.isKept, !state.isRefreshing, !configuration.writesChanges, configuration.parts == nil else {
      return
    }
    if let path = state.path {
      do throws(SinkError) {
        return stateFile = try StateFile(at: path)
      } catch {
        throw SinkFile.explain(error, path)
      }
    }
    switch way {
    case .text(let staged) where !staged.isInPlace: stateFile = try StateFile(of: configuration.path)
    case .folder: stateFile = try StateFile(of: configuration.path)
    case .open, .text, .database: break
    }
  }

  /// Why the output can't be restored if the run fails, in words; nil if it can.
  public var warning: String? {
    guard case .text(let staged) = way, staged.isInPlace else { return nil }
    return "no file can be made beside \(staged.name.escapingControls), so it is written in place: "
      + "a run that fails leaves it half"
  }

  /// Whether it remembers how far it has come.
  public var remembers: Bool {
    guard configuration.state.isKept else { return false }
    if case .database = way { return true }
    if configuration.parts != nil { return true }
    return stateFile != nil
  }

  /// Whether opening it may block.
  var opensLate: Bool { if case .open = way { true } else { false } }

  /// Removes what was created and never written.
  public func leave() {
    stateFile?.leave()
    switch way {
    case .text(let staged): staged.leave()
    case .folder where CageBroker.current == nil: if let made { rmdir(made) }
    case .database(let file) where CageBroker.current == nil:
      if let made, let status = try? file.status(), status.st_size == 0 { unlink(made) }
    case .open, .folder, .database: break
    }
  }

  /// Releases it: the next run may write there.
  func release() {
    way = .open
    stateFile = nil
  }

  /// Checks that files can be created there, before any is.
  private static func checkFolder(_ folder: String, _ path: String) throws(SinkError) {
    guard access(folder, W_OK | X_OK) == 0 else { throw SinkError(.last, path: path) }
  }

  private static func locked(
    _ resolved: String, _ flags: Int32, _ path: String, isShared: Bool = false
  ) throws(SinkError) -> FileDescriptor {
    guard let file = try OutputLock.open(resolved, flags, isShared: isShared, shown: path) else {
      throw SinkError(SystemError(number: ENOENT), path: path)
    }
    return file
  }
}
