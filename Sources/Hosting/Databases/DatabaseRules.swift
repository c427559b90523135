import CSQLite

/// What a script's SQL may do: an SQLite authorizer, consulted for every step of a statement being compiled.
///
/// The contents of the database belong to the script, as far as the connection may write. Anything beyond is refused:
/// other files, process settings, code. Pragmas and virtual tables are allowed by name, so that new ones are refused
/// until reviewed.
final class DatabaseRules {
  private let isReadOnly: Bool
  /// The last refusal, in words for the author of the SQL.
  private(set) var refusal: String?

  init(isReadOnly: Bool) { self.isReadOnly = isReadOnly }

  /// Installs the authorizer on the connection; the rules must outlive it.
  func install(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { rules, action, first, second, _, _ in
        Unmanaged<DatabaseRules>.fromOpaque(rules!).takeUnretainedValue().answer(action, first, second)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Clears the last refusal.
  func begin() { refusal = nil }

  private func answer(
    _ action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> CInt {
    let reason: String? =
      switch action {
      // VACUUM itself attaches an unnamed in-memory database.
      case SQLITE_ATTACH where first?.pointee == 0: nil
      case SQLITE_ATTACH, SQLITE_DETACH: "a connection is to one file; open the other file separately"
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

  /// SQLite compares these names case-insensitively.
  private static func name(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0).lowercased() } ?? ""
  }

  private enum PragmaUse {
    /// Reports something; its value is the subject.
    case asked
    /// Changes the database or the connection, if it is writable.
    case set
    /// Reports a setting, which can't be changed.
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

    // These could block, fill memory or create files: the host's settings stay.
    "busy_timeout": .told, "cache_size": .told, "cache_spill": .told, "mmap_size": .told,
    "schema_version": .told, "temp_store": .told, "threads": .told, "trusted_schema": .told,
  ]

  /// Code from files, addresses as values, and files as in SQLite's command line tool, in case a library adds them.
  private static let refusedFunctions: Set = [
    "edit", "fsdir", "fts3_tokenizer", "load_extension", "lsmode", "readfile", "sqlite_load_extension",
    "writefile",
  ]

  private static let modules: Set = [
    "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "geopoly", "rtree", "rtree_i32",
  ]
}
