/// A table of the document, or cards on a narrow screen. The script makes it sortable; without it, the table is static.
struct DataTable {
  /// One cell: its text, and its sort key, if any.
  struct Cell {
    var text: String
    var key: Double?
    /// Its style classes.
    var look = ""
    var mark: SeriesMark?
    /// A second, smaller line.
    var note = ""
    /// Columns that it takes.
    var span = 1

    init(
      _ text: String, key: Double? = nil, look: String = "", mark: SeriesMark? = nil, note: String = "",
      span: Int = 1
    ) {
      self.text = text
      self.key = key
      self.look = look
      self.mark = mark
      self.note = note
      self.span = span
    }

    /// A number with `digits` decimals.
    static func number(_ value: Double, _ digits: Int, look: String = "") -> Cell {
      Cell(
        ReportNumber.fixed(value, digits).replacingMinus, key: value.isFinite ? value : nil, look: look)
    }

    /// Whether it is aligned as a number.
    var isNumeric: Bool { key != nil && note.isEmpty }
  }

  let caption: String
  let titles: [String]
  let rows: [[Cell]]
  /// Whether it becomes cards without the script too, and keeps its headings, to be sorted by them.
  var isSummary = false

  /// In a box that scrolls if all else fails.
  func write(_ markup: inout Markup) {
    markup.within("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption]) {
      box in
      box.within("table", ["class": isSummary ? "data summary cards" : "data"]) { table in
        table.element("caption", [:], caption)
        table.within("thead") { $0.within("tr") { head(&$0) } }
        table.line()
        table.within("tbody") { body in
          for row in rows {
            body.within("tr") { line in
              for (place, cell) in row.enumerated() { write(cell, place, &line) }
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
    rows.contains { column < $0.count && $0[column].isNumeric }
  }

  private func write(_ cell: Cell, _ place: Int, _ line: inout Markup) {
    let title = titles.indices.contains(place) ? titles[place] : ""
    let isLong = title.count + cell.text.count > 22
    let look = [cell.isNumeric ? "n" : "t", cell.look, isLong ? "long" : ""].filter { !$0.isEmpty }
      .joined(separator: " ")
    func inner(_ markup: inout Markup) {
      cell.mark?.swatch(&markup)
      if cell.look == "spark" {
        markup.element("span", ["aria-hidden": "true"], cell.text)
      } else {
        markup.write(cell.text)
      }
      if !cell.note.isEmpty { markup.element("small", [:], cell.note) }
    }
    var attributes = [("class", look)]
    if isSummary, place > 0, cell.span == 1 { attributes.append(("data-t", title)) }
    if place == 0 { attributes.insert(("scope", "row"), at: 0) }
    if cell.span > 1 { attributes.append(("colspan", "\(cell.span)")) }
    if place > 0, let key = cell.key { attributes.append(("data-v", ReportNumber.short(key, 6))) }
    line.within(place == 0 ? "th" : "td", attributes, inner)
  }
}
