import Hosting
import Paging
import Scripting

/// All that the command line says about a run.
struct RunSettings {
  var output: OutputOptions
  var requests: RequestOptions
  var limits: LimitOptions
  var permissions: PermissionOptions
  var parameters: ParameterOptions
  var report: ReportOptions
  var sources: [String] = []
  /// When the sources are read again.
  var refresh: RefreshRule?
  var isDryRun = false
  /// Items to show as a table instead of writing them.
  var preview: Int?
  /// Hosts that the command itself names, and so grants.
  var grantedHosts: [String] = []

  /// Items after which the run is over.
  var limit: Int? {
    guard let preview else { return limits.limit }
    return min(preview, limits.limit ?? preview)
  }

  /// Whether only the beginning is looked at, once.
  var isFirstLook: Bool { isDryRun || preview != nil }

  func makeSink(stream: String) throws(HostFailure) -> any Sink {
    if isDryRun { return EmptySink() }
    if preview != nil { return TablePreview() }
    return LateSink(output.configuration(stream: stream))
  }

  /// Where items are written to, if they are.
  var itemsOutput: SinkConfiguration? { isFirstLook ? nil : output.configuration(stream: "") }

  /// The permissions with what the command itself grants.
  func granting(_ permissions: Permissions) -> Permissions {
    let patterns = grantedHosts.compactMap { try? NetPattern($0) }
    guard !patterns.isEmpty else { return permissions }
    var permissions = permissions
    switch permissions.net.granted {
    case .all: break
    case .none: permissions.net.granted = .only(patterns)
    case .only(let given): permissions.net.granted = .only(given + patterns)
    }
    return permissions
  }
}
