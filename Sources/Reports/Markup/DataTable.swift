/// A table of the document. The script makes it sortable; without it, the table is static.
struct DataTable {
  /// One cell: its text, and its sort key, if any.
  struct Cell {
    var text: String
    var key: Double?
    /// Its style class.
    var look = ""
    var mark: SeriesMark?

    init(_ text: String, key: Double? = nil, look: String = "", mark: SeriesMark? = nil) {
      self.text = text
      self.key = key
      self.look = look
      self.mark = mark
    }

    /// A number with `digits` decimals.
    static func number(_ value: Double, _ digits: Int, look: String = "") -> Cell {
      Cell(
        ReportNumber.fixed(value, digits).replacingMinus, key: value.isFinite ? value : nil, look: look)
    }
  }

  let caption: String
  let titles: [String]
  let rows: [[Cell]]

  /// In a box that scrolls if the page is narrow.
  func write(_ markup: inout Markup) {
    markup.within("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption]) {
      box in
      box.within("table", ["class": "data"]) { table in
        table.element("caption", [:], caption)
        table.within("thead") { $0.within("tr") { head(&$0) } }
        table.line()
        table.within("tbody") { body in
          for row in rows {
            body.within("tr") { line in
              for (place, cell) in row.enumerated() { write(cell, place == 0, &line) }
            }
            body.line()
          }
        }
      }
    }
    markup.line()
  }

  private func head(_ line: inout Markup) {
    for (place, title) in titles.enumerated() {
      let isSpark = rows.contains { place < $0.count && $0[place].look == "spark" }
      let look = isNumeric(place) ? "n" : isSpark ? "t spark" : "t"
      line.element("th", ["scope": "col", "class": look], title)
    }
  }

  private func isNumeric(_ column: Int) -> Bool {
    rows.contains { column < $0.count && $0[column].key != nil }
  }

  private func write(_ cell: Cell, _ isFirst: Bool, _ line: inout Markup) {
    let look = [cell.key == nil ? "t" : "n", cell.look].filter { !$0.isEmpty }.joined(separator: " ")
    let name = isFirst ? "th" : "td"
    func inner(_ markup: inout Markup) {
      cell.mark?.swatch(&markup)
      markup.write(cell.text)
    }
    switch (isFirst, cell.key) {
    case (true, _): line.within(name, ["scope": "row", "class": look], inner)
    case (false, let key?): line.within(name, ["class": look, "data-v": ReportNumber.short(key, 6)], inner)
    case (false, nil): line.within(name, ["class": look], inner)
    }
  }
}
