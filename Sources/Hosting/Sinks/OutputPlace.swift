import Glibc
public import Paging

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
    /// A file of another database, which makes it itself, with the driver that is to open it.
    case file(FileDescriptor?, ADBCDriver)
    /// A server, which is connected.
    case server(any DestinationLink)
  }

  /// The configuration it was opened for.
  public let configuration: SinkConfiguration
  private(set) var way: Way
  /// A file or directory that was created here.
  let made: String?
  /// Told what happens to parts, on the sink's thread.
  public nonisolated(unsafe) var partEvents: @Sendable (PartEvent) -> Void = { _ in }
  /// What sources say that columns are.
  let types = DeclaredTypes()
  /// The parameters of the script that choose what it brings, as JSON; empty where there are none. Known before the run is over.
  public nonisolated(unsafe) var parameters = ""
  /// The sources that the script returns.
  let returned = ReturnedStreams()
  /// Where the state of texts is kept.
  private(set) var stateFile: StateFile?

  /// Opens it; an existing file is unchanged.
  public init(_ configuration: SinkConfiguration) throws(SinkError) {
    if let mistake = configuration.mistake { throw SinkError(mistake) }
    var configuration = configuration
    // A file that is written whole has what its source has.
    if configuration.format == .parquet { configuration.state.write = .mirror }
    self.configuration = configuration
    let path = configuration.path
    if let address = configuration.address {
      (way, made) = (.server(try configuration.connect(address)), nil)
      return
    }
    if let refusal = StandardStream.refusal(of: path) { throw SinkError(refusal) }
    var status = stat()
    let kind =
      configuration.isStream ? nil : stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
    if configuration.format.hasTables, configuration.format != .parquet || !configuration.isFolder {
      try SQLiteStore.check(configuration)
    }
    let driver = configuration.format.isReachedByDriver ? try SinkConfiguration.driver(.duckdb) : nil
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
      if let driver {
        way = .file(try OutputPlace.locked(resolved, O_RDONLY | O_DIRECTORY, path), driver)
        return
      }
      let isShared = configuration.parts?.isShared ?? false
      way = .folder(try OutputPlace.locked(resolved, O_RDONLY | O_DIRECTORY, path, isShared: isShared))
    } else if configuration.format.hasTables {
      // Files are created next to a database.
      try OutputPlace.checkFolder(CagePath.folder(of: path), path)
      if let driver {
        (way, made) = (.file(try OutputLock.open(resolved, O_RDWR, shown: path), driver), nil)
        return
      }
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
  init(
    part path: String, of identity: ItemDeclaration.Identity, _ configuration: SinkConfiguration,
    keepsState: Bool
  ) throws(SinkError) {
    var own = configuration
    own.partIdentity = identity
    (own.path, own.isFolder, own.parts, own.state.isKept) = (path, false, nil, keepsState)
    self.configuration = own
    (way, made) = (.text(try StagedFile(part: path)), nil)
    if keepsState { stateFile = try StateFile(of: path) }
  }

  deinit { leave() }

  /// The folder that it is in, or is; nil where it is in none.
  public var folder: String? {
    switch way {
    case .open, .server: nil
    case .text, .folder, .database, .file:
      configuration.isFolder ? configuration.path : CagePath.folder(of: configuration.path)
    }
  }

  /// Notes what the columns of a stream are, before anything is written to it; nil is the only or first stream.
  public func declare(_ columns: [String: DeclaredType], of stream: String?) {
    types.declare(columns, of: stream ?? configuration.defaultStream)
  }

  /// Notes the streams of all sources that the script returns, before any is read; none is the only or first stream.
  /// `areAllRead` says that the run reads all of them to their ends.
  public func declare(streams names: [String], areAllRead: Bool) {
    returned.note(names.isEmpty ? [configuration.defaultStream] : Set(names), areAllRead: areAllRead)
  }

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
    case .open, .text, .database, .file, .server: break
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
    switch way {
    case .database, .file, .server: return true
    case .open, .text, .folder: break
    }
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
    case .folder where CageBroker.current == nil, .file where CageBroker.current == nil:
      if let made { rmdir(made) }
    case .database(let file) where CageBroker.current == nil:
      if let made, let status = try? file.status(), status.st_size == 0 { unlink(made) }
    case .open, .folder, .database, .file, .server: break
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
