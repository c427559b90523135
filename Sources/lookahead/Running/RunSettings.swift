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
  /// What the script prints is what was asked for: it goes to the standard output, and no items do.
  var printsToOutput = false
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
  var isFirstLook: Bool { isDryRun || preview != nil || printsToOutput }

  /// The sink to the place, or without one to nothing; the preview shows texts as `shown` has them. Once the flag is set, a
  /// reader who takes nothing is not waited for. What is wrong with the output has been shown when it throws.
  func makeSink(
    _ place: OutputPlace?, hurried: StopFlag, _ shown: @escaping (String) -> String
  ) throws(RunExit) -> any Sink {
    guard let place else { return isDryRun || printsToOutput ? EmptySink() : TablePreview(shown) }
    let sink = LateSink(place, hurried: hurried)
    do throws(SinkError) {
      try sink.prepare()
    } catch {
      standardError("error: \(error.failure.message)")
      throw .output
    }
    return sink
  }

  /// Where items are written to, if they are: it is open, and nothing of it is changed. What is wrong with it has been shown
  /// when it throws.
  func openOutput(stream: String) throws(RunExit) -> OutputPlace? {
    if isFirstLook { return nil }
    do throws(SinkError) {
      return try OutputPlace(output.configuration(stream: stream))
    } catch {
      standardError("error: \(error.failure.message)")
      throw .output
    }
  }

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

/// What tells one file from another, whatever their paths are; nil for what is no plain file.
private enum FileIdentity: Hashable {
  case file(device: UInt64, number: UInt64)
  /// What is not there yet.
  case missing(folder: String, name: Substring)

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT, let name = path.split(separator: "/").last else { return nil }
      self = .missing(folder: ScriptFile.folder(of: path), name: name)
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self = .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }
}
