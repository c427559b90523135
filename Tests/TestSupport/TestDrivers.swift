import Foundation

/// The database drivers that `Tests/requirements.txt` installs.
public enum TestDrivers {
  /// The folder of all of them, as Python has it.
  public static let folder: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
    let libraries = root + "/.venv/lib"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []
    return libraries + "/" + (versions.first { $0.hasPrefix("python3") } ?? "python3") + "/site-packages"
  }()

  /// The library of the driver for PostgreSQL.
  public static var postgresql: String { folder + "/adbc_driver_postgresql/libadbc_driver_postgresql.so" }

  /// The module of DuckDB, which needs Python's library.
  public static var duckDB: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return folder + "/"
      + (names.first { $0.hasPrefix("_duckdb.cpython-") && $0.hasSuffix(".so") } ?? "_duckdb.so")
  }

  /// Python's library for that module, as `libpython3.11.so.1.0` for `_duckdb.cpython-311-…`.
  public static var python: String {
    let digits = duckDB.split(separator: "cpython-").last?.prefix { $0.isNumber } ?? ""
    return "libpython\(digits.prefix(1)).\(digits.dropFirst()).so.1.0"
  }

  /// The Python of that environment.
  public static var interpreter: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
      + "/.venv/bin/python"
  }

  /// Whether the one for SQLite is there, too.
  public static var haveSQLite: Bool {
    FileManager.default.fileExists(atPath: folder + "/adbc_driver_sqlite/libadbc_driver_sqlite.so")
  }

  /// Whether all of them are there. If so, this process finds them from then on, whichever of its tests is the first, and alone.
  public static let areInstalled: Bool = {
    guard FileManager.default.fileExists(atPath: postgresql), FileManager.default.fileExists(atPath: duckDB)
    else {
      return false
    }
    return setenv("LOOKAHEAD_DRIVERS", folder, 1) == 0
  }()
}
