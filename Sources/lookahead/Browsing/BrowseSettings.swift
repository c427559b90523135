import Terminal

/// All that the command line says about browsing.
struct BrowseSettings {
  var source: String?
  var policy: String?
  var maxItems: Int
  /// Where the trace goes.
  var record: String?
  /// Keys that the program types; nil where only a person does.
  var steps: [KeyStep]?
  /// Of a screen that is printed.
  var size: TerminalSize
  /// Whether there is a terminal to draw on.
  var isLive: Bool
  /// Where the totals go.
  var summary: String?
  var parameters: ParameterOptions
  var limits: BrowseLimitOptions
  var requests: RequestOptions
  var permissions: PermissionOptions
}
