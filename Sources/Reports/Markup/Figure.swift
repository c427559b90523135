/// A picture with its title, a sentence on how to read it, and its values as a table for screen readers.
struct Figure {
  let title: String
  let aid: String
  /// Whether it takes the full page width.
  var isWide = false
  /// Whether the picture is folded, as it is long.
  var isFolded = false
  let table: DataTable
  let picture: (inout Markup) -> Void

  func write(_ markup: inout Markup) {
    markup.within("figure", ["class": isWide ? "wide" : "half"]) { figure in
      figure.within("figcaption") {
        $0.element("h3", [:], title)
        $0.element("p", ["class": "aid"], aid)
      }
      if isFolded {
        figure.within("details", ["class": "settings"]) { details in
          details.element("summary", [:], "All \(table.rows.count) lines")
          details.within("div", ["class": "picture"], picture)
        }
      } else {
        figure.within("div", ["class": "picture"], picture)
      }
      figure.within("details") { details in
        details.element("summary", [:], "Values")
        table.write(&details)
      }
    }
    markup.line()
  }
}

/// The colours and shapes of the policies.
struct Legend {
  let entries: [(title: String, mark: SeriesMark)]

  func write(_ markup: inout Markup) {
    markup.within("ul", ["class": "legend"]) { list in
      for entry in entries {
        list.within("li", ["data-p": "\(entry.mark.number)"]) {
          entry.mark.swatch(&$0)
          $0.write(entry.title)
        }
      }
    }
  }
}
