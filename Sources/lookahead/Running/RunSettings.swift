import Glibc
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

  /// Texts of the command line, beside its parameters, that are not to be shown.
  var secrets: [String] = []

  /// Items after which the run is over.
  var limit: Int? {
    guard let preview else { return limits.limit }
    return min(preview, limits.limit ?? preview)
  }

  /// Whether only the beginning is looked at, once.
  var isFirstLook: Bool { isDryRun || preview != nil }

  /// Once the flag is set, a reader who takes nothing is not waited for; the preview shows texts as `shown` has them.
  func makeSink(
    stream: String, hurried: StopFlag, _ shown: @escaping (String) -> String
  ) -> any Sink {
    if isDryRun { return EmptySink() }
    if preview != nil { return TablePreview(shown) }
    return LateSink(output.configuration(stream: stream), hurried: hurried)
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

  /// No output takes the place of the script, nor of another output: what it says has been shown when it throws.
  func checkOutputs(of script: ScriptFile) throws(RunExit) {
    let outputs = [
      ("-o", isFirstLook ? "-" : output.output), ("--trace", report.trace), ("--record", report.record),
      ("--summary", report.summary),
    ]
    var known: [FileIdentity: String] = [:]
    if !script.isGenerated, let file = FileIdentity(script.path) { known[file] = "the script itself" }
    if let path = report.replay, let file = FileIdentity(path) { known[file] = "the recording of --replay" }
    for (option, path) in outputs {
      guard let path, path != "-", let file = FileIdentity(path) else { continue }
      if let other = known[file] {
        standardError("error: \(option) \(path): that is \(other), and would be written over")
        throw .usage
      }
      known[file] = "the file of \(option)"
    }
  }
}

/// What tells one file from another, whatever their paths are; nil for what is no plain file, and for what is not there yet.
private struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
