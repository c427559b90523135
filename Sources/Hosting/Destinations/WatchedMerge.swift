import Paging

/// Merges rows into a table with triggers, rules or policies, which could keep rows out in silence: each has to be there
/// afterwards, and each change to have been made.
struct WatchedMerge {
  private let merge: Merge
  private let count: Int
  private let table: String
  private let store: DestinationStore

  /// For so many rows that are about to be merged.
  init(_ merge: Merge, count: Int, table: String, _ store: DestinationStore) {
    (self.merge, self.count, self.table, self.store) = (merge, count, table, store)
  }

  func run() throws {
    let there = try merge.isNew ? 0 : number("SELECT count(*) FROM \(rows) WHERE EXISTS (\(row))")
    let statements = store.dialect.merge(merge)
    for (place, sql) in statements.enumerated() {
      let changed = try store.connection.execute(sql)
      // The first of several updates what is there.
      guard place == 0, statements.count > 1, let changed, changed < there else { continue }
      throw kept(there - changed, "changes of rows", as: nil)
    }
    let missing = try number("SELECT count(*) FROM \(rows) WHERE NOT EXISTS (\(row))")
    guard missing > 0 else { return }
    let key = "CAST(\(merge.keyValue) AS \(store.dialect.declaration(of: .text)))"
    let id = try store.connection.first("SELECT \(key) FROM \(rows) WHERE NOT EXISTS (\(row)) LIMIT 1") {
      $0.text(0)
    }
    throw kept(missing, "rows", as: id ?? nil)
  }

  private var rows: String { "\(merge.batch) AS _lookahead_new" }

  private var row: String {
    merge.match
  }

  private func number(_ query: String) throws -> Int {
    Int(try store.connection.first(query) { $0.integer(0) ?? 0 } ?? 0)
  }

  private func kept(_ missing: Int, _ what: String, as id: String?) -> HostFailure {
    let example = id.map { ", as that of the item \($0.escapingControls)" } ?? ""
    return HostFailure(
      .invalid,
      "a trigger, rule or policy of its table \(table.escapingControls) kept \(missing.grouped) of \(count.grouped) \(what) "
        + "out\(example): nothing of them is written; have it let these rows pass, leave such items out in the source's "
        + "transform, or give the source another name (name = \"…\")")
  }
}
