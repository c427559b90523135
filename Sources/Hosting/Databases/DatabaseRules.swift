import GRDBSQLite

/// What SQL of a script may do: SQLite asks here for every step of a statement that it compiles.
///
/// What is in the database is the script's, as far as the connection may write. What reaches beyond is refused: other files,
/// settings of the process, code. Pragmas and virtual tables are allowed by name, so that a new one is refused until somebody
/// has looked at it.
final class DatabaseRules {
  private let isReadOnly: Bool
  /// What was refused last, in words for the one who wrote the SQL.
  private(set) var refusal: String?

  init(isReadOnly: Bool) { self.isReadOnly = isReadOnly }

  /// Has the connection ask here; the rules must outlive it.
  func install(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { rules, action, first, second, _, _ in
        Unmanaged<DatabaseRules>.fromOpaque(rules!).takeUnretainedValue().answer(action, first, second)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Forgets what was refused before.
  func begin() { refusal = nil }

  private func answer(
    _ action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> CInt {
    let reason: String? =
      switch action {
      // VACUUM itself attaches a database without a name, which is in memory.
      case SQLITE_ATTACH where first?.pointee == 0: nil
      case SQLITE_ATTACH, SQLITE_DETACH: "a connection is to one file; open the other file by itself"
      case SQLITE_PRAGMA: pragma(DatabaseRules.name(first), hasValue: second != nil)
      case SQLITE_FUNCTION: function(DatabaseRules.name(second))
      case SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE: module(DatabaseRules.name(second))
      default: nil
      }
    guard let reason else { return SQLITE_OK }
    refusal = reason
    return SQLITE_DENY
  }

  private func pragma(_ name: String, hasValue: Bool) -> String? {
    guard let use = DatabaseRules.pragmas[name] else {
      return "PRAGMA \(name.escapingControls) is not available to scripts"
    }
    switch use {
    case .asked: return nil
    case .set:
      return isReadOnly && hasValue ? "PRAGMA \(name) can't be set where the database is only read" : nil
    case .told: return hasValue ? "PRAGMA \(name) can be read by scripts, and not set" : nil
    }
  }

  private func function(_ name: String) -> String? {
    DatabaseRules.refusedFunctions.contains(name) ? "\(name)() is not available" : nil
  }

  private func module(_ name: String) -> String? {
    DatabaseRules.modules.contains(name)
      ? nil : "virtual tables of \(name.escapingControls) are not available to scripts"
  }

  /// SQLite compares these names without regard to case.
  private static func name(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0).lowercased() } ?? ""
  }

  private enum PragmaUse {
    /// It tells something, its value being what it is asked about.
    case asked
    /// It changes the database or the connection, where that may be written.
    case set
    /// It tells how the connection is set up, which stays so.
    case told
  }

  private static let pragmas: [String: PragmaUse] = [
    "collation_list": .asked, "compile_options": .asked, "data_version": .asked, "foreign_key_check": .asked,
    "foreign_key_list": .asked, "freelist_count": .asked, "function_list": .asked, "index_info": .asked,
    "index_list": .asked, "index_xinfo": .asked, "integrity_check": .asked, "module_list": .asked,
    "page_count": .asked, "pragma_list": .asked, "query_only": .asked, "quick_check": .asked,
    "table_info": .asked, "table_list": .asked, "table_xinfo": .asked,

    "analysis_limit": .set, "application_id": .set, "auto_vacuum": .set, "automatic_index": .set,
    "cell_size_check": .set, "defer_foreign_keys": .set, "encoding": .set, "foreign_keys": .set,
    "ignore_check_constraints": .set, "incremental_vacuum": .set, "journal_mode": .set,
    "journal_size_limit": .set, "legacy_alter_table": .set, "locking_mode": .set, "max_page_count": .set,
    "optimize": .set, "page_size": .set, "read_uncommitted": .set, "recursive_triggers": .set,
    "reverse_unordered_selects": .set, "secure_delete": .set, "shrink_memory": .set, "synchronous": .set,
    "user_version": .set, "wal_autocheckpoint": .set, "wal_checkpoint": .set,

    // These would wait without end, fill memory or make files: what the host has set is kept.
    "busy_timeout": .told, "cache_size": .told, "cache_spill": .told, "mmap_size": .told,
    "schema_version": .told, "temp_store": .told, "threads": .told, "trusted_schema": .told,
  ]

  /// Code from files, addresses as values, and files as the command line tool of SQLite has them, should a library bring them.
  private static let refusedFunctions: Set = [
    "edit", "fsdir", "fts3_tokenizer", "load_extension", "lsmode", "readfile", "sqlite_load_extension",
    "writefile",
  ]

  private static let modules: Set = [
    "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "geopoly", "rtree", "rtree_i32",
  ]
}
