/// The text typed at a prompt: one or more lines, and the cursor. libedit holds the cursor's line; this holds them all.
public struct EditedText: Sendable, Equatable {
  /// At least one.
  public internal(set) var lines: [String]
  /// The line of the cursor.
  public internal(set) var row: Int
  /// Scalars of that line before the cursor.
  public internal(set) var column: Int

  /// The text, with the cursor at its end.
  public init(_ text: String = "") {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    row = lines.count - 1
    column = lines[row].unicodeScalars.count
  }

  /// All lines.
  public var text: String { lines.joined(separator: "\n") }

  /// Bytes of the text before the cursor.
  public var offset: Int {
    lines[..<row].reduce(0) { $0 + $1.utf8.count + 1 } + before.utf8.count
  }

  /// The cursor's line before and after the cursor.
  var before: String { String(lines[row].unicodeScalars.prefix(column)) }
  var after: String { String(lines[row].unicodeScalars.dropFirst(column)) }

  var isOnLastLine: Bool { row == lines.count - 1 }

  /// Inserts text at the cursor, which moves behind it.
  public mutating func insert(_ text: String) {
    let inserted = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let tail = after
    var added = inserted
    added[0] = before + added[0]
    let lastColumn = added[added.count - 1].unicodeScalars.count
    added[added.count - 1] += tail
    lines.replaceSubrange(row...row, with: added)
    row += inserted.count - 1
    column = lastColumn
  }

  /// Replaces the bytes from `start` to the cursor by another word.
  public mutating func replace(from start: Int, with word: String) {
    let missing = max(0, offset - start)
    let kept = Array(before.utf8).dropLast(missing)
    let tail = after
    let head = String(decoding: kept, as: UTF8.self)
    lines[row] = head + tail
    column = head.unicodeScalars.count
    insert(word)
  }

  /// Joins the cursor's line with the one above; false if there is none.
  public mutating func joinBefore() -> Bool {
    guard row > 0 else { return false }
    let below = lines.remove(at: row)
    row -= 1
    column = lines[row].unicodeScalars.count
    lines[row] += below
    return true
  }

  /// Joins the cursor's line with the one below; false if there is none.
  public mutating func joinAfter() -> Bool {
    guard !isOnLastLine else { return false }
    lines[row] += lines.remove(at: row + 1)
    return true
  }

  /// Moves up or down by lines, keeping the column if possible; false at the edge.
  public mutating func move(by rows: Int) -> Bool {
    guard lines.indices.contains(row + rows) else { return false }
    row += rows
    column = min(column, lines[row].unicodeScalars.count)
    return true
  }

  /// Moves to the end of the line above; false if there is none.
  public mutating func moveOutLeft() -> Bool {
    guard row > 0 else { return false }
    row -= 1
    column = lines[row].unicodeScalars.count
    return true
  }

  /// Moves to the start of the line below; false if there is none.
  public mutating func moveOutRight() -> Bool {
    guard !isOnLastLine else { return false }
    row += 1
    column = 0
    return true
  }

  /// Replaces the cursor's line, as edited by libedit.
  public mutating func replaceLine(_ line: String, column: Int) {
    lines[row] = line
    self.column = column
  }
}
