public import Items
import Text

/// An item as shown in a table: decoded, measured and cut, so that drawing is cheap however long it is.
public struct MeasuredRow: Sendable, Hashable {
  /// A member of the item.
  struct Cell: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case number, null, text
      /// A list or an object.
      case nested
    }

    let name: String
    /// The shown text, for the terminal width it was measured for.
    let text: String
    /// Cells of the whole value, at most `TableLayout.widest`.
    let width: Int
    let kind: Kind
  }

  let cells: [Cell]

  /// The row of an item for that terminal width.
  public init(_ bytes: Bytes, columns: Int) { self.init(ItemValue(bytes), columns: columns) }

  init(_ item: ItemValue, columns: Int) {
    cells = item.members.map { member in
      let line = member.value.line
      return Cell(
        name: member.name, text: line.printable.clipped(to: columns),
        width: min(TableLayout.widest, line.cellWidth), kind: Cell.Kind(member.value))
    }
  }

  /// The text in a column; empty if there is no such member.
  func text(in place: TableLayout.Place) -> String {
    guard let cell = cells.first(where: { $0.name == place.column.name }), cell.kind != .null else {
      return ""
    }
    let text = cell.text.clipped(to: place.width)
    return place.column.isNumeric ? text.padded(to: place.width, .right) : text
  }
}

extension MeasuredRow.Cell.Kind {
  init(_ value: ItemValue) {
    switch value {
    case .literal("null"): self = .null
    case .literal, .text: self = value.isNumber ? .number : .text
    case .list, .object: self = .nested
    }
  }
}
