/// A value to print, before line layout.
indirect enum PrintedNode {
  /// Always on one line.
  case line(PrintedLine)
  case table(PrintedTable)
  case records(PrintedRecords)
}

/// An expanded table.
struct PrintedTable {
  struct Entry {
    /// Empty for list elements.
    var key: PrintedLine
    var value: PrintedNode
  }

  /// Before the brace, such as an object's name.
  var title: PrintedLine = []
  var entries: [Entry] = []
  /// A remark about the entries not shown; empty if all are.
  var rest = ""
}

extension PrintedNode {
  static func remark(_ text: String) -> PrintedNode { .line([PrintedPiece(text: text, kind: .remark)]) }

  /// On one line; nil if it does not fit or has to be expanded.
  func inline(room: Int, _ style: PrintStyle) -> PrintedLine? {
    switch self {
    case .line(let line): return style.width(of: line) <= room ? line : nil
    case .records(let records): return PrintedNode.table(records.asTable).inline(room: room, style)
    case .table(let table):
      var line = table.title + [PrintedPiece(text: "{ ")]
      var left = room - style.width(of: line) - 2
      let parts = table.entries.count + (table.rest.isEmpty ? 0 : 1)
      for (position, entry) in table.entries.enumerated() {
        let end = [PrintedPiece(text: position + 1 < parts ? ", " : "")]
        guard left > 0, let value = entry.value.inline(room: left, style) else { return nil }
        let part = entry.key + (entry.key.isEmpty ? [] : [PrintedPiece(text: " = ")]) + value + end
        left -= style.width(of: part)
        guard left >= 0 else { return nil }
        line += part
      }
      if !table.rest.isEmpty { line.append(PrintedPiece(text: table.rest, kind: .remark)) }
      line.append(PrintedPiece(text: " }"))
      return style.width(of: line) <= room ? line : nil
    }
  }

  /// On as many lines as needed; the first one starts after `before` cells.
  func lines(indent: Int, before: Int, _ style: PrintStyle, isOutermost: Bool = false) -> [PrintedLine] {
    let mayInline = !style.isVertical || !isOutermost
    if case .records(let records) = self, !style.isVertical, isOutermost || inline(room: 0, style) == nil {
      if !isOutermost, let line = inline(room: style.width - before, style) { return [line] }
      return records.lines(indent: indent, style, isOutermost: isOutermost)
    }
    if mayInline, let line = inline(room: style.width - before, style) { return [line] }
    switch self {
    case .line(let line): return [line]
    case .records(let records):
      return records.asTable.lines(indent: indent, style, spreadsEntries: style.isVertical && isOutermost)
    case .table(let table): return table.lines(indent: indent, style)
    }
  }
}

extension PrintedTable {
  /// One entry per line; with `spreadsEntries` every field of an entry is on its own line, too.
  func lines(indent: Int, _ style: PrintStyle, spreadsEntries: Bool = false) -> [PrintedLine] {
    let margin = PrintedPiece(text: String(repeating: " ", count: indent + 2))
    var lines: [PrintedLine] = [title + [PrintedPiece(text: "{")]]
    for entry in entries {
      let start = entry.key.isEmpty ? [margin] : [margin] + entry.key + [PrintedPiece(text: " = ")]
      var value = entry.value.lines(
        indent: indent + 2, before: style.width(of: start) + 1, style, isOutermost: spreadsEntries)
      value[0] = start + value[0]
      value[value.count - 1].append(PrintedPiece(text: ","))
      lines += value
    }
    if !rest.isEmpty { lines.append([margin, PrintedPiece(text: rest, kind: .remark)]) }
    return lines + [[PrintedPiece(text: String(repeating: " ", count: indent) + "}")]]
  }
}
