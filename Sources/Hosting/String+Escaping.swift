import Text

extension String {
  /// The text without characters that could move a terminal's cursor or change the writing direction; shown as `\u{…}`.
  var escapingControls: String { HarmlessText.line(self) }
}
