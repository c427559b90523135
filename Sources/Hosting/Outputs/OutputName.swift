public import Paging

/// Output names that ask for something unsupported: another format, compression, a server.
public enum OutputName {
  /// Why nothing goes there; nil where it can. A format that was asked for wins over the ending, except over one that says
  /// that the file is packed. `formats` says what there is; `unwritten` are endings that are not written here, beside those
  /// that nobody writes; `packs` says that `Packing` is there.
  public static func refusal(
    of path: String, isFormatGiven: Bool, isFolder: Bool = false, formats: String = OutputName.formats,
    unwritten: Set<String> = [], packs: Bool = false
  ) -> HostFailure? {
    if let scheme = scheme(of: path) {
      // The rest may contain a password.
      return HostFailure(
        .invalid,
        "-o \(scheme.escapingControls)://…: outputs are files, folders, standard output and postgresql://user@host/database; "
          + formats)
    }
    guard !isFolder, let ending = ending(of: packs ? Packing.unpackedName(path) : path) else { return nil }
    if packs, packed.contains(ending) {
      return HostFailure(
        .invalid,
        "-o \(path.escapingControls): .\(ending) is not written; texts are packed as .gz (gzip) and .zst (zstd), "
          + "as -o items.ndjson.gz")
    }
    if packed.contains(ending) {
      return HostFailure(
        .invalid,
        "-o \(path.escapingControls): nothing is packed here; write to standard output and pack that, "
          + "as `-o - | gzip > FILE.gz`")
    }
    guard !isFormatGiven, others.union(unwritten).contains(ending) else { return nil }
    return HostFailure(
      .invalid,
      "-o \(path.escapingControls): .\(ending) is not written; \(formats), or say with --format what is to "
        + "be in the file")
  }

  /// The name as messages show it: without the password of an address.
  public static func shown(_ path: String) -> String {
    DatabaseAddress.isPath(path) ? path.escapingControls : DatabaseAddress.redacted(path)
  }

  /// The supported formats.
  public static let formats =
    "there are .ndjson (also .jsonl), .json, .csv, .db (also .sqlite, .sqlite3), .duckdb and .parquet"

  /// Extensions of compressed files.
  private static let packed: Set = [
    "gz", "tgz", "bz2", "xz", "zst", "zstd", "lz4", "lz", "lzma", "br", "z", "zip", "7z", "rar", "tar",
    "snappy",
  ]

  /// Extensions of other data formats.
  private static let others: Set = [
    "parquet", "pq", "duckdb", "ddb", "xlsx", "xls", "xlsm", "xlsb", "ods", "numbers", "tsv", "tab", "psv",
    "xml", "yaml",
    "yml", "toml",
    "avro", "arrow", "feather", "ipc", "orc", "mdb", "accdb", "dbf", "sql", "msgpack", "mpk",
    "cbor",
    "bson", "pb", "protobuf", "proto", "pickle", "pkl", "npy", "npz", "hdf5", "h5", "rds", "rdata", "sav",
    "dta",
    "geojson", "gpkg", "html", "htm", "pdf", "rss", "atom", "ics", "docx",
  ]

  /// The letters before `://`.
  private static func scheme(of path: String) -> String? {
    guard let mark = path.firstRange(of: "://") else { return nil }
    let scheme = path[..<mark.lowerBound]
    let isScheme =
      scheme.utf8.allSatisfy { $0 < 0x80 }
      && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    return isScheme && scheme.first?.isLetter == true ? String(scheme) : nil
  }

  /// The extension of the file name, in lower case.
  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    return name[name.index(after: dot)...].lowercased()
  }
}
