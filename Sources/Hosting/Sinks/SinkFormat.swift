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
