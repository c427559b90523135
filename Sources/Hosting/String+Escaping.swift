import Text

extension String {
  /// The text without characters that could steer a terminal, line breaks and tabs kept.
  public var escapingTerminalControls: String { HarmlessText.lines(self) }

  /// The text without characters that could move a terminal's cursor or turn its direction; they are shown as `\u{…}`.
  var escapingControls: String { HarmlessText.line(self) }
}
