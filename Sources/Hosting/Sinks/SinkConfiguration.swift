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
  /// Whether texts that a spreadsheet would calculate are marked as texts in a CSV.
  public var isCSVSafe = false
  /// Whether the path is a folder with a file for each stream.
  public var isFolder: Bool
  /// The member that is the items' id, which becomes the primary key of a table. Items whose id is anything else, or nil
  /// here, get a column `_id`.
  public var idField: String? = "id"
  /// The name of the stream that has none.
  public var defaultStream = "items"

  /// Whether the format was asked for, whatever the path ends in.
  let isFormatGiven: Bool

  /// A configuration for a path. Without a format, the extension says it; a path that ends in a slash, or a folder that
  /// exists, is a folder.
  public init(path: String, format: SinkFormat? = nil) {
    isFormatGiven = format != nil
    self.path = OutputDescriptor.standardOutputs.contains(path) ? "-" : path
    self.format = format ?? .format(forPath: path)
    var status = stat()
    let isExistingFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    isFolder = path.hasSuffix("/") || self.path != "-" && isExistingFolder
  }

  /// What can't be had together, and what to do instead.
  public var mistake: HostFailure? {
    if let refusal = OutputName.refusal(of: path, isFormatGiven: isFormatGiven, isFolder: isFolder) {
      return refusal
    }
    if isCSVSafe && format != .csv {
      return HostFailure(
        .invalid, "--csv-safe: expected a CSV (-o FILE.csv, or --format csv); other formats have no formulas")
    }
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

/// The same; while the flag is set, a reader who does not read is not waited for.
func makeSink(_ configuration: SinkConfiguration, hurried: StopFlag) throws(SinkError) -> any Sink {
  try makeSink(try OutputPlace(configuration), hurried: hurried)
}

/// A sink to what is open already.
func makeSink(_ place: OutputPlace, hurried: StopFlag) throws(SinkError) -> any Sink {
  let writer: any SinkWriter
  switch place.configuration.format {
  case .sqlite: writer = try SinkDatabase(place)
  case .ndjson, .csv, .json: writer = try SinkStreams(place, hurried)
  }
  return SinkQueue(writer, defaultStream: place.configuration.defaultStream)
}

extension SinkConfiguration {
  /// Why items of these streams can't go there together; nil where they can.
  public func refusal(ofStreams names: [String]) -> HostFailure? {
    if format == .sqlite { return oneTable(names) }
    if isFolder { return names.first { !SinkConfiguration.namesFile($0) }.map(noFile) }
    guard names.count > 1, !isTagged, !writesChanges else { return nil }
    return crowd(names[0], names[1])
  }

  /// What is said of a second stream to a text that has no place for it.
  func crowd(_ first: String, _ second: String) -> HostFailure {
    let output = path == "-" ? "standard output" : path.escapingControls
    return HostFailure(
      .invalid,
      "the streams \(first.escapingControls) and \(second.escapingControls) can't both go to \(output): "
        + "--tag marks each item with its stream, -o FOLDER/ makes a file for each")
  }

  /// SQLite does not tell tables apart by the case of their letters.
  private func oneTable(_ names: [String]) -> HostFailure? {
    var known: [String: String] = [:]
    for name in names {
      if let other = known.updateValue(name, forKey: name.lowercased()), other != name {
        return HostFailure(
          .invalid, "the streams \(other.escapingControls) and \(name.escapingControls) would be one table")
      }
    }
    return nil
  }

  private static func namesFile(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == 0 || $0 == 0x2F }
  }

  private func noFile(_ name: String) -> HostFailure {
    HostFailure(.invalid, "\"\(name.escapingControls)\" names a stream, but can't name a file")
  }
}

/// The form of a sink's output.
public enum SinkFormat: String, Sendable, CaseIterable {
  /// One item per line.
  case ndjson
  /// RFC 4180, with a header.
  case csv
  /// One array.
  case json
  /// A table per stream.
  case sqlite

  /// What a path's extension says; NDJSON where it says nothing.
  public static func format(forPath path: String) -> SinkFormat {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), !path.hasSuffix("/") else { return .ndjson }
    return switch name[name.index(after: dot)...].lowercased() {
    case "csv": .csv
    case "json": .json
    case "db", "sqlite", "sqlite3": .sqlite
    default: .ndjson
    }
  }
}
