/// All that the command line says about a prompt.
struct ReplSettings {
  var parameters: ParameterOptions
  var limits: BrowseLimitOptions
  var requests: RequestOptions
  var permissions: PermissionOptions
  var report: ReportOptions
  var seed: UInt64?
  /// In a pipe the first failure ends it.
  var stopsOnError: Bool
  var skipsInit: Bool
  /// No banner.
  var isQuiet: Bool
}
