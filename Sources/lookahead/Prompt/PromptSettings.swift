import Scripting

/// What a person sets with `:set`.
struct PromptSettings {
  /// How values are shown; its width is the terminal's, unless `width` says otherwise.
  var style = PrintStyle()
  var width: Int?
  /// In a pipe: the first line that fails ends it.
  var stopsOnError = false
}
