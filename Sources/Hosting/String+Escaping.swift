extension String {
  /// The text without characters that could steer a terminal, line breaks and tabs kept.
  public var escapingTerminalControls: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).escapingControls }
        .joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// The text without characters that could move a terminal's cursor or turn its direction; they are shown as `\u{…}`.
  var escapingControls: String {
    guard unicodeScalars.contains(where: \.isHazardous) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isHazardous {
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  var isHazardous: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
