import Glibc
public import Paging

/// Which sink a run writes to.
public struct SinkConfiguration: Sendable, Equatable {
  /// A file, a folder, or `-` for standard output.
  public var path: String
  public var format: SinkFormat
  /// Whether items say which stream they are of, by a last member `_stream`, so that streams can share a text.
  public var isTagged = false
  /// Whether a text says what happened to the items, an operation a line, instead of the items themselves. CSV can't; a
  /// database always applies what happened, and has no text.
  public var writesChanges = false
  /// Whether the path is a folder with a file for each stream.
  public var isFolder: Bool
  /// The member that is the items' id, which becomes the primary key of a table. Items whose id is anything else, or nil
  /// here, get a column `_id`.
  public var idField: String? = "id"
  /// The name of the stream that has none.
  public var defaultStream = "items"

  /// A configuration for a path. Without a format, the extension says it; a path that ends in a slash, or a folder that
  /// exists, is a folder.
  public init(path: String, format: SinkFormat? = nil) {
    self.path = OutputDescriptor.standardOutputs.contains(path) ? "-" : path
    self.format = format ?? .format(forPath: path)
    var status = stat()
    let isExistingFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    isFolder = path.hasSuffix("/") || self.path != "-" && isExistingFolder
  }

  /// What can't be had together, and what to do instead.
  public var mistake: HostFailure? {
    guard writesChanges else { return nil }
    if format == .sqlite {
      return HostFailure(
        .invalid,
        "--changes: a database is kept up to date by what happened, and has no lines of operations; leave it "
          + "out, or write lines of JSON (--format ndjson --changes)")
    }
    guard format == .csv else { return nil }
    return HostFailure(
      .invalid,
      "--changes: a CSV has rows and no operations; write lines of JSON (--format ndjson --changes), "
        + "or keep a table up to date (-o FILE.db)")
  }
}

/// Opens the output, which empties a file and keeps a database.
public func makeSink(_ configuration: SinkConfiguration) throws(HostFailure) -> any Sink {
  do throws(SinkError) {
    return try makeSink(configuration, hurried: StopFlag())
  } catch {
    throw error.failure
  }
}

/// The same; while the flag is set, whoever does not take what is written is not waited for.
func makeSink(_ configuration: SinkConfiguration, hurried: StopFlag) throws(SinkError) -> any Sink {
  if let mistake = configuration.mistake { throw SinkError(mistake) }
  let writer: any SinkWriter
  switch configuration.format {
  case .sqlite: writer = try SinkDatabase(configuration)
  case .ndjson, .csv, .json: writer = try SinkStreams(configuration, hurried)
  }
  return SinkQueue(writer, defaultStream: configuration.defaultStream)
}
