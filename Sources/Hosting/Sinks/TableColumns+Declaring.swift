import Paging

/// How SQL declares the columns of a table.
extension TableColumns {
  /// Whether a statement that creates a table says what becomes of a row that another one is in the way of.
  static func hasLenientKeys(in sql: String) -> Bool {
    let lenient = /\bunique\s*(\([^)]*\))?\s*on\s+conflict\s/.ignoresCase()
    return sql.firstMatch(of: lenient) != nil
  }

  /// The statement that creates a table with the first of them.
  func creation(of table: String, key: String, _ count: Int = .max) -> String {
    let declarations = prefix(count).map { declaration(of: $0, key: key) }
    return "CREATE TABLE \(table.asIdentifier) (\(declarations.joined(separator: ", ")))"
  }

  private func declaration(of column: Column, key: String) -> String {
    let type = column.type == .any ? "" : " \(column.type.rawValue)"
    let standard = column.standard.map { " DEFAULT \($0)" } ?? ""
    let primary = column.name == key ? "\(column.isCounter ? " CONSTRAINT \"counted\"" : "") PRIMARY KEY" : ""
    return column.name.asIdentifier + type + standard + primary
  }

  /// The columns that the statement declares as those are that are made here, from the first one on; and from the last one back, as
  /// others are added behind those that are there. Notes whether the key is declared as one that only counts.
  mutating func own(of table: String, key: String, in sql: String) -> Set<Int> {
    let start = "CREATE TABLE \(table.asIdentifier) ("
    guard sql.hasPrefix(start), sql.hasSuffix(")") else { return [] }
    if let place = place(named: key), sql.contains(" CONSTRAINT \"counted\" PRIMARY KEY") {
      setCounter(place)
    }
    var rest = sql.dropFirst(start.count).dropLast()[...]
    var first = 0
    while first < count {
      let declared = declaration(of: self[first], key: key)
      guard rest.hasPrefix(declared + ", ") || rest == declared else { break }
      rest = rest.dropFirst(declared.count + 2)
      first += 1
    }
    guard first > 0 else { return [] }
    var last = count
    while last > first {
      let declared = ", " + declaration(of: self[last - 1], key: key)
      guard rest.hasSuffix(declared) else { break }
      rest = rest.dropLast(declared.count)
      last -= 1
    }
    return Set(0..<first).union(last..<count)
  }

  /// Has some take values of any type, and gives the statement that creates the table anew, under another name, with the first of
  /// them: what its owner has declared stays, where the statement is given that has.
  mutating func loosen(
    _ places: [Int], of table: String, as new: String, key: String, _ count: Int, in found: String?
  ) throws -> String {
    var changes: [(old: String, new: String)] = []
    for place in places {
      let old = declaration(of: self[place], key: key)
      loosen(place)
      changes.append((old, declaration(of: self[place], key: key)))
    }
    guard let found else { return creation(of: new, key: key, count) }
    var declared = String(found.dropFirst("CREATE TABLE \(table.asIdentifier)".count + 1))
    for (old, new) in changes {
      let surroundings = [("(", ", "), ("(", ")"), (", ", ", "), (", ", ")")]
      let hits = surroundings.lazy.compactMap { before, after in
        declared.firstRange(of: before + old + after).map { (place: $0, text: before + new + after) }
      }
      guard let hit = hits.first else {
        throw HostFailure(
          .database,
          "the column that \(table.escapingControls) declares as \(old.escapingControls) should take any value now, and can't be "
            + "found in what declares the table: take its type away, or write another file")
      }
      declared.replaceSubrange(hit.place, with: hit.text)
    }
    return "CREATE TABLE \(new.asIdentifier) \(declared)"
  }
}
