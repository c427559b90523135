/// Whether a text is well-formed markup: every element closed in its turn, attributes in quotes and once each, no bare
/// `<` or `&`. The content of `script` and `style` is passed over.
struct MarkupCheck {
  private var rest: Substring
  private var open: [String] = []

  /// The first fault; nil where there is none.
  static func fault(_ text: String) -> String? {
    var check = MarkupCheck(rest: text[...])
    if check.rest.hasPrefix("<!DOCTYPE html>") { check.rest.removeFirst("<!DOCTYPE html>".count) }
    while !check.rest.isEmpty {
      if let fault = check.step() { return "\(fault) before: \(check.rest.prefix(80))" }
    }
    return check.open.isEmpty ? nil : "never closed: \(check.open)"
  }

  private mutating func step() -> String? {
    guard rest.first == "<" else { return content() }
    rest.removeFirst()
    if rest.first == "/" {
      rest.removeFirst()
      let name = word()
      guard open.popLast() == name, rest.popFirst() == ">" else { return "</\(name)> closes nothing" }
      return nil
    }
    return element()
  }

  private mutating func content() -> String? {
    let text = rest.prefix { $0 != "<" }
    rest = rest[text.endIndex...]
    if text.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" && $0 != "\t" }) {
      return "a control character"
    }
    return reference(text)
  }

  private mutating func element() -> String? {
    let name = word()
    if name.isEmpty { return "a bare <" }
    var known: Set<String> = []
    while rest.first == " " {
      rest.removeFirst()
      let key = word()
      guard !key.isEmpty, known.insert(key).inserted else { return "attribute '\(key)' of \(name)" }
      guard rest.hasPrefix("=\"") else { return "no value of \(key)" }
      rest.removeFirst(2)
      let value = rest.prefix { $0 != "\"" }
      if value.contains("<") { return "a bare < in \(key)" }
      if let fault = reference(value) { return fault }
      rest = rest[value.endIndex...]
      if rest.popFirst() == nil { return "an endless \(key)" }
    }
    if rest.hasPrefix("/>") {
      rest.removeFirst(2)
      return nil
    }
    guard rest.popFirst() == ">" else { return "no end of <\(name)" }
    open.append(name)
    if name == "script" || name == "style" {
      while !rest.isEmpty, !rest.hasPrefix("</\(name)>") { rest.removeFirst() }
    }
    return nil
  }

  private mutating func word() -> String {
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    rest = rest[name.endIndex...]
    return String(name)
  }

  private func reference(_ text: Substring) -> String? {
    for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
      let name = part.prefix { $0 != ";" }
      if name == part || !["amp", "lt", "gt", "quot"].contains(name) { return "a bare &" }
    }
    return nil
  }
}
