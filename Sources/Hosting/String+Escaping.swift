import Text

extension String {
  /// The text without characters that could move a terminal's cursor or turn its direction; they are shown as `\u{…}`.
  var escapingControls: String { HarmlessText.line(self) }
}
