import Text

/// The columns of a table, learned from the items seen: it only grows, so that nothing jumps while scrolling.
public struct TableLayout: Sendable, Hashable {
  /// A member of the items as a column.
  public struct Column: Sendable, Hashable {
    public let name: String
    /// Cells of the widest value so far, including the name; at most `TableLayout.widest`.
    public internal(set) var width: Int
    /// Whether all values so far are numbers: they are right-aligned.
    public internal(set) var isNumeric = true
    /// Whether any value was a list or an object: the first to be dropped if there is no room.
    public internal(set) var isNested = false
  }

  /// A column as shown.
  public struct Place: Sendable, Hashable {
    public let column: Column
    /// The first cell.
    public let start: Int
    /// Cells.
    public let width: Int
  }

  /// Initial maximum width; spare room goes to columns that were cut.
  public static let widest = 48
  /// Minimum width of a narrowed text column.
  public static let narrowest = 8
  /// Maximum number of columns.
  static let most = 64

  /// In the order first seen.
  public private(set) var columns: [Column] = []
  private var indices: [String: Int] = [:]

  public init() {}

  /// Learns from an item. Anything but an object is one column, `value`.
  public mutating func learn(_ item: ItemValue) { learn(MeasuredRow(item, columns: Self.widest)) }

  /// Learns from a measured item.
  mutating func learn(_ row: MeasuredRow) {
    for cell in row.cells {
      guard let index = index(of: cell.name) else { continue }
      columns[index].width = max(columns[index].width, cell.width)
      switch cell.kind {
      case .number, .null: break
      case .text: columns[index].isNumeric = false
      case .nested:
        columns[index].isNumeric = false
        columns[index].isNested = true
      }
    }
  }

  private mutating func index(of name: String) -> Int? {
    if let index = indices[name] { return index }
    guard columns.count < Self.most else { return nil }
    indices[name] = columns.count
    columns.append(Column(name: name, width: min(Self.widest, max(1, name.cellWidth))))
    return columns.count - 1
  }

  /// The columns that fit into `width` cells, one cell apart: plain ones from the left, then nested ones; all are
  /// narrowed to their minimum before one is dropped.
  public func places(from start: Int, width: Int) -> [Place] {
    let order =
      columns.indices.filter { !columns[$0].isNested } + columns.indices.filter { columns[$0].isNested }
    var shown: [Int] = []
    var room = width
    for index in order {
      let least = least(columns[index])
      let gap = shown.isEmpty ? 0 : 1
      guard least + gap <= room || shown.isEmpty else { break }
      shown.append(index)
      room -= least + gap
    }
    shown.sort()
    var widths = shown.map { min(least(columns[$0]), max(1, width)) }
    // The narrowest column is widened first, so that one long column does not starve the others.
    for place in shown.indices.sorted(by: { columns[shown[$0]].width < columns[shown[$1]].width })
    where room > 0 {
      let more = min(room, columns[shown[place]].width - widths[place])
      guard more > 0 else { continue }
      widths[place] += more
      room -= more
    }
    if room > 0, let place = shown.indices.last(where: { columns[shown[$0]].width == Self.widest }) {
      widths[place] += room
    }
    var column = start
    return zip(shown, widths).map { index, width in
      defer { column += width + 1 }
      return Place(column: columns[index], start: column, width: width)
    }
  }

  private func least(_ column: Column) -> Int {
    column.isNumeric ? column.width : min(column.width, max(Self.narrowest, min(column.name.cellWidth, 16)))
  }
}

extension ItemValue {
  /// What a table shows of it: the members of an object, or the value itself.
  public var members: [Member] {
    if case .object(let members) = self { members } else { [Member(name: "value", value: self)] }
  }
}
