import Text

/// Writes HTML and SVG that is well-formed whatever the names and values are: every element is closed, and all text is
/// escaped.
struct Markup {
  typealias Attributes = KeyValuePairs<String, String>

  private(set) var text = ""

  /// An element with text, or empty.
  mutating func element(_ name: String, _ attributes: Attributes = [:], _ content: String? = nil) {
    start(name, attributes.map { ($0.key, $0.value) })
    if let content {
      text += ">"
      text += Self.escaped(content)
      text += "</\(name)>"
    } else {
      text += "/>"
    }
  }

  /// An element with children.
  mutating func within(_ name: String, _ attributes: Attributes = [:], _ inner: (inout Markup) -> Void) {
    within(name, attributes.map { ($0.key, $0.value) }, inner)
  }

  /// The same with attributes that depend on something.
  mutating func within(
    _ name: String, _ attributes: [(String, String)], _ inner: (inout Markup) -> Void
  ) {
    start(name, attributes)
    text += ">"
    inner(&self)
    text += "</\(name)>"
  }

  /// Text between elements.
  mutating func write(_ content: String) { text += Self.escaped(content) }

  /// Text that is already markup: a resource of this program, or JSON without `<`.
  mutating func raw(_ markup: String) { text += markup }

  mutating func line() { text += "\n" }

  private mutating func start(_ name: String, _ attributes: [(String, String)]) {
    text += "<"
    text += name
    for (key, value) in attributes {
      text += " \(key)=\""
      text += Self.escaped(value)
      text += "\""
    }
  }

  /// Escapes markup characters, and what is invisible, not allowed in documents, or changes the writing direction.
  static func escaped(_ content: String) -> String {
    let content = HarmlessText.lines(content)
    var result = ""
    result.reserveCapacity(content.utf8.count)
    for scalar in content.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
