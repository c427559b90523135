/// Writes JSON on one line, safe inside HTML: without `<`.
struct JSONText {
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ members: (inout JSONText) -> Void) { nest("{", "}", members) }

  mutating func array(_ elements: (inout JSONText) -> Void) { nest("[", "]", elements) }

  /// The name of a member; its value has to follow.
  mutating func key(_ name: String) {
    string(name)
    text += ":"
    needsComma = false
  }

  mutating func string(_ value: String) {
    separate()
    text += "\""
    for scalar in value.unicodeScalars { escape(scalar) }
    text += "\""
  }

  /// At most `digits` decimals; null for NaN.
  mutating func number(_ value: Double, _ digits: Int = 6) {
    separate()
    text += value.isFinite ? ReportNumber.short(value, digits) : "null"
  }

  mutating func integer(_ value: Int) {
    separate()
    text += String(value)
  }

  mutating func bool(_ value: Bool) {
    separate()
    text += value ? "true" : "false"
  }

  /// All of them as an array.
  mutating func integers(_ values: [Int]) { array { for value in values { $0.integer(value) } } }

  private mutating func nest(_ open: String, _ close: String, _ inner: (inout JSONText) -> Void) {
    separate()
    text += open
    needsComma = false
    inner(&self)
    text += close
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { text += "," }
    needsComma = true
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "<", "\u{0}"..."\u{1F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
}
