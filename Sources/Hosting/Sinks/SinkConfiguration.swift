import Glibc
public import Paging

/// Settings of a run's output.
///
/// ```swift
/// var output = SinkConfiguration(path: "out.csv")
/// output.isCSVSafe = true
/// ```
public struct SinkConfiguration: Sendable, Equatable {
  /// A file, a directory, `-` for standard output or `/dev/stderr`; of a server, its address without passwords.
  public var path: String
  /// Where a server is.
  public let address: DatabaseAddress?
  /// Why the path is no address, where it is meant for one.
  private let addressMistake: HostFailure?
  public var format: SinkFormat
  /// Whether items name their stream in a last member `_stream`, so that streams can share a text.
  public var isTagged = false
  /// Whether a text contains the changes of the items, one operation per line, instead of the items themselves. Not
  /// possible in CSV; a database always applies the changes.
  public var writesChanges = false
  /// Whether texts a spreadsheet would evaluate are marked as text in CSV.
  public var isCSVSafe = false
  /// How texts are packed; a file's ending says so, too.
  public var packing: Packing?
  /// Whether the path is a directory with a file per stream.
  public var isFolder: Bool
  /// The member with the items' id, which becomes the primary key of a table. Items with any other id, or nil here, get
  /// a column `_id`.
  public var idField: String? = "id"
  /// The name of the unnamed stream.
  public var defaultStream = "items"
  /// Whether rows go into tables of a database that somebody else has made.
  public var adopts = false
  /// Whether texts that are days or moments of ISO 8601 make columns of these types, in a database that has them.
  public var recognizesTimes = true
  /// How long a database is waited for that another process has locked.
  public var lockWait = Duration.seconds(5)

  /// For a directory with a part for each partition.
  public var parts: PartsOptions?
  /// For one part: what names its items.
  var partIdentity: ItemDeclaration.Identity?

  /// What is remembered of it.
  public var state = StateOptions()

  /// Whether the format was given, whatever the extension.
  let isFormatGiven: Bool

  /// A configuration for a path. By default the extension determines the format; a path with a trailing slash, or an
  /// existing directory, is a directory. With secrets, their names in braces stand for them in the address of a server.
  public init(path: String, format: SinkFormat? = nil, secrets: [String: String]? = nil) {
    isFormatGiven = format != nil
    self.format = format ?? .format(forPath: path)
    if PostgreSQLAddress.isMeant(by: path) || DriverAddress.isMeant(by: path) {
      isFolder = false
      do throws(HostFailure) {
        let server = try DatabaseAddress.server(path, secrets: secrets)
        (address, addressMistake, self.path) = (server, nil, server.shown)
      } catch {
        (address, addressMistake, self.path) = (nil, error, DatabaseAddress.redacted(path))
      }
      return
    }
    (address, addressMistake) = (nil, nil)
    self.path = StandardStream(path: path)?.path ?? path
    var status = stat()
    let isExistingFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    isFolder = path.hasSuffix("/") || StandardStream(path: path) == nil && isExistingFolder
    packing = isFolder ? nil : Packing(ofPath: path)
  }

  /// Several processes write the database, each for moments.
  public mutating func shareDatabase() {
    state.isShared = true
    lockWait = .seconds(60)
  }

  /// Settings that exclude each other, and what to do instead.
  public var mistake: HostFailure? {
    if let addressMistake {
      return HostFailure(.invalid, "-o \(addressMistake.message)")
    }
    if format == .adbc, address == nil || isFormatGiven {
      return HostFailure(
        .invalid,
        "--format adbc: rows go to a database by its driver with -o adbc:NAME?key=value, without --format")
    }
    if format != .adbc, (address != nil) != (format == .postgresql) {
      return HostFailure(
        .invalid,
        "-o \(path.escapingControls) with --format \(format.rawValue): rows go to PostgreSQL by -o postgresql://user@host/database, "
          + "without --format")
    }
    if address == nil,
      let refusal = OutputName.refusal(
        of: path, isFormatGiven: isFormatGiven || format.isReachedByDriver, isFolder: isFolder, packs: true)
        ?? packingMistake
    {
      return refusal
    }
    if state.isRefreshing, let refusal = refusal(ofAdding: "--refresh") { return refusal }
    if state.write == .append, let refusal = refusal(ofAdding: "--write append") { return refusal }
    if format.hasTables, !format.isShareable, state.isShared {
      return HostFailure(
        .invalid,
        "\(path.escapingControls): several processes can't write it together: let them write PostgreSQL, an SQLite file, or a folder of "
          + "parts (--parts)")
    }
    if adopts, !format.hasTables || format == .parquet {
      return HostFailure(
        .invalid,
        "--adopt: expected a database with tables, as -o postgresql://…, -o FILE.duckdb or -o FILE.db")
    }
    if !recognizesTimes, !format.isReachedByDriver {
      return HostFailure(
        .invalid,
        "--types text: expected an output with types (-o postgresql://…, FILE.duckdb, FILE.parquet); others keep texts as they are"
      )
    }
    if isCSVSafe && format != .csv {
      return HostFailure(
        .invalid, "--csv-safe: expected a CSV (-o FILE.csv, or --format csv); other formats have no formulas")
    }
    if state.path != nil {
      let refusal: String? =
        format.hasTables
        ? "a database has its state in the same transactions as its rows, so that they can't disagree"
        : state.isRefreshing
          ? "a text that is kept up to date (--refresh) remembers nothing"
          : writesChanges ? "a list of changes (--changes) remembers nothing" : nil
      if let refusal { return HostFailure(.invalid, "--state: \(refusal); leave it out") }
    }
    guard writesChanges else { return nil }
    if format.hasTables {
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

extension SinkConfiguration {
  /// Whether it is standard output or standard error.
  var isStream: Bool { StandardStream(path: path) != nil }

  /// Whether what the source says is gone stays: a text is only added to.
  var keepsRemoved: Bool { !format.hasTables && !writesChanges && !state.isRefreshing }

  /// What the command line asks readings to do to earlier ones, so that items of no reading can't come; nil where they can. A
  /// Parquet file is always of one run, and what is read again is compared by the run itself.
  var readingsOnly: WriteMode? {
    isStream || format == .parquet || state.isRefreshing || state.write == .merge ? nil : state.write
  }

  /// A name that says something else than what is in the file, or a packed database.
  /// How a text is written: nothing goes on with one of another form.
  var form: String {
    format.rawValue + (packing.map { ".\($0.ending)" } ?? "") + (isTagged ? " --tag" : "")
      + (isCSVSafe ? " --csv-safe" : "")
  }

  private var packingMistake: HostFailure? {
    guard let packing else { return nil }
    let shown = path.escapingControls
    if format.hasTables {
      return HostFailure(
        .invalid, "-o \(shown): a database is not packed, nor is Parquet; texts are (ndjson, json, csv)")
    }
    guard !isFolder, !isStream, !path.hasPrefix("/dev/"), Packing(ofPath: path) != packing else {
      return nil
    }
    let name = Packing.unpackedName(path).escapingControls
    return HostFailure(
      .invalid,
      "-o \(shown) and --compress \(packing.rawValue): call the file \(name).\(packing.ending), "
        + "or leave --compress out")
  }
}

/// Opens the output, truncating a file but keeping a database.
public func makeSink(_ configuration: SinkConfiguration) throws(HostFailure) -> any Sink {
  do throws(SinkError) {
    return try makeSink(configuration, hurried: StopFlag())
  } catch {
    throw error.failure
  }
}

/// The same; while the flag is set, stalled readers are not waited for.
func makeSink(_ configuration: SinkConfiguration, hurried: StopFlag) throws(SinkError) -> any Sink {
  try makeSink(try OutputPlace(configuration), hurried: hurried)
}

/// A sink for an open output.
func makeSink(_ place: OutputPlace, hurried: StopFlag) throws(SinkError) -> any Sink {
  let writer: any SinkWriter
  if let parts = place.configuration.parts {
    let writer = try SinkParts(place, parts, hurried)
    return SinkQueue(writer, place.configuration)
  }
  switch place.configuration.format {
  case .sqlite, .postgresql, .duckdb, .parquet, .adbc: writer = SinkDatabase(place, try place.store(hurried))
  case .ndjson, .csv, .json: writer = try SinkStreams(place, hurried)
  }
  return SinkQueue(writer, place.configuration)
}

extension SinkConfiguration {
  /// Why items of these streams can't be written there together; nil if they can.
  public func refusal(ofStreams names: [String]) -> HostFailure? {
    if format == .parquet, !isFolder, names.count > 1 {
      return HostFailure(
        .invalid,
        "the streams \(names[0].escapingControls) and \(names[1].escapingControls) can't both go to \(path.escapingControls): "
          + "-o FOLDER/ --format parquet makes a file for each")
    }
    if format == .parquet, isFolder, let name = names.first(where: { !SinkConfiguration.namesFile($0) }) {
      return noFile(name)
    }
    if format.hasTables { return tables(names) }
    if isFolder { return names.first { !SinkConfiguration.namesFile($0) }.map(noFile) }
    guard names.count > 1, !isTagged, !writesChanges else { return nil }
    return crowd(names[0], names[1])
  }

  /// The error for a second stream in a text that can hold only one.
  func crowd(_ first: String, _ second: String) -> HostFailure {
    let output = StandardStream(path: path)?.name ?? path.escapingControls
    return HostFailure(
      .invalid,
      "the streams \(first.escapingControls) and \(second.escapingControls) can't both go to \(output): "
        + "--tag marks each item with its stream, -o FOLDER/ makes a file for each")
  }

  /// Names of tables are case-insensitive, and some are SQLite's own, or those of the state.
  private func tables(_ names: [String]) -> HostFailure? {
    var known: [String: String] = [:]
    for name in names {
      let key = name.lowercased()
      guard !name.isEmpty, !key.hasPrefix("sqlite_"), !key.hasPrefix("_lookahead_") else {
        return HostFailure(
          .invalid,
          "\"\(name.escapingControls)\" names a stream, but can't name a table: give its source another name")
      }
      if let other = known.updateValue(name, forKey: key), other != name {
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

/// The format of a sink's output.
public enum SinkFormat: String, Sendable, CaseIterable {
  /// One item per line.
  case ndjson
  /// RFC 4180, with a header.
  case csv
  /// One array.
  case json
  /// One table per stream.
  case sqlite
  /// The same, in a file of DuckDB.
  case duckdb
  /// The same, in PostgreSQL.
  case postgresql
  /// The same, in whatever a driver reaches.
  case adbc
  /// A file for each stream, written whole.
  case parquet

  /// Whether each stream is a table of a database.
  public var hasTables: Bool {
    switch self {
    case .ndjson, .csv, .json: false
    case .sqlite, .duckdb, .postgresql, .adbc, .parquet: true
    }
  }

  /// Whether several processes can write it together, each for moments.
  public var isShareable: Bool { [.sqlite, .postgresql].contains(self) }

  /// Whether it is a database that a driver reaches.
  var isReachedByDriver: Bool { [.duckdb, .postgresql, .adbc, .parquet].contains(self) }

  /// The format by extension; NDJSON by default.
  public static func format(forPath path: String) -> SinkFormat {
    if PostgreSQLAddress.isMeant(by: path) { return .postgresql }
    if DriverAddress.isMeant(by: path) { return .adbc }
    let name = Packing.unpackedName(path).split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), !path.hasSuffix("/") else { return .ndjson }
    return switch name[name.index(after: dot)...].lowercased() {
    case "csv": .csv
    case "json": .json
    case "db", "sqlite", "sqlite3": .sqlite
    case "duckdb", "ddb": .duckdb
    case "parquet", "pq": .parquet
    default: .ndjson
    }
  }
}

extension SinkConfiguration {
  /// Why items of these streams can't go to the output together; or can't be added to what is there, as a source of them wants.
  public func refusal(ofStreams names: [String], areAdded: Bool) -> HostFailure? {
    refusal(ofStreams: names) ?? (areAdded ? refusal(ofAdding: "write = \"append\"") : nil)
  }

  /// Why nothing can be added to the output, as somebody asks for; nil where it can.
  func refusal(ofAdding wish: String) -> HostFailure? {
    guard format == .parquet else { return nil }
    return HostFailure(
      .invalid,
      "\(path.escapingControls): a Parquet file is written whole, when the run ends: \(wish) needs a database, as -o items.duckdb"
    )
  }
}
