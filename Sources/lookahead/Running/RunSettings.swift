import Glibc
import Hosting
import Items
import JSON
import Paging
import Scripting
import Text

/// All that the command line says about a run.
struct RunSettings {
  var output: OutputOptions
  var state: StateArguments
  var requests: RequestOptions
  var limits: LimitOptions
  var permissions: PermissionOptions
  var parameters: ParameterOptions
  var report: ReportOptions
  var sources: [String] = []
  /// What takes the place of the bookmarks, as JSON or a text.
  var since: String?
  /// The greatest bookmark that is wanted, as JSON or a text.
  var until: String?
  /// When the sources are read again.
  var refresh: RefreshRule?
  var isDryRun = false
  /// Items to show as a table instead of writing them.
  var preview: Int?
  /// Whether the script's prints are the output: they go to standard output, and no items do.
  var printsToOutput = false
  /// Whether a person at the terminal is asked for what no option allows.
  var asks = false
  /// Hosts named, and so granted, by the command itself.
  var grantedHosts: [String] = []

  /// Threads that read partitions.
  var jobs = 1
  /// The share of the partitions that this run reads; nil is all.
  var shard: Shard? { didSet { listed = shard.map { _ in ListedPartitions() } } }
  /// All partitions, of which the share has some.
  private(set) var listed: ListedPartitions?
  /// Partitions come on standard input.
  var work: WorkSession.Settings?
  /// A part for each partition, in a folder.
  var parts: PartsOptions?
  /// Lists partitions instead of reading them.
  var lister: PartitionLister?

  /// Copies of the script that read partitions beside it: none where what is read depends on what was read before, or where
  /// each step is kept.
  var copies: Int {
    let isAlone =
      isFirstLook || limit != nil || refresh != nil || report.record != nil || report.replay != nil
    return isAlone || jobs == 1 ? 0 : jobs
  }

  /// Further texts of the command line that must not be shown.
  var secrets: [String] = []

  /// Maximum items of the run.
  var limit: Int? {
    guard let preview else { return limits.limit }
    return min(preview, limits.limit ?? preview)
  }

  /// Whether all that the script returns is read to its end.
  var readsAll: Bool {
    sources.isEmpty && takes == nil && limit == nil && limits.maxPages == nil && refresh == nil
  }

  /// Whether only the beginning is read, once.
  var isFirstLook: Bool { isDryRun || preview != nil || printsToOutput || lister != nil }

  /// Whether this run reads a partition, asked before each; nil is all of them.
  var takes: ((Partition) throws -> Bool)? {
    if let lister {
      return { [shard] in
        try lister.list($0, in: shard)
        return false
      }
    }
    return shard.map { [listed] shard in
      { partition in
        let id = PartitionID(partition)
        listed?.note(id)
        return shard.contains(id)
      }
    }
  }

  /// The sink for the place, or a null sink; the preview shows texts through `shown`. Once the flag is set, stalled
  /// readers are not waited for. Errors have been shown when it throws.
  func makeSink(
    _ place: OutputPlace?, hurried: StopFlag, _ shown: @escaping (String) -> String
  ) throws(RunExit) -> any Sink {
    guard let place else { return preview == nil ? EmptySink() : TablePreview(shown) }
    let sink = LateSink(place, hurried: hurried)
    do throws(SinkError) {
      try sink.prepare()
    } catch {
      standardError("error: \(error.failure.message)\(Mending(error).text)")
      throw .output
    }
    return sink
  }

  /// The opened output, still unchanged; nil if nothing is written. The secrets are those that its address names. Errors have been
  /// shown when it throws.
  func openOutput(of script: ScriptFile, _ secrets: [String: String]) throws(RunExit) -> OutputPlace? {
    if isFirstLook { return nil }
    var configuration = output.configuration(stream: script.streamName, secrets: secrets)
    if !output.secretNames.isEmpty, let mistake = configuration.mistake {
      standardError("error: \(mistake.message)")
      throw .usage
    }
    configuration.state = state.options(isRefreshing: refresh != nil)
    configuration.state.isShare = shard != nil
    configuration.parts = parts
    if let work, parts == nil {
      configuration.shareDatabase()
      configuration.state.run = work.run
    }
    configuration.parts?.script = script.path
    configuration.parts?.shard = shard
    configuration.parts?.listed = listed
    if shard != nil { configuration.parts?.isShared = true }
    if report.replay != nil {
      let state = self.state.state ?? configuration.path + ".state"
      if !configuration.format.hasTables, configuration.path != "-", access(state, F_OK) == 0 {
        standardError(
          "error: a replay would write \(HarmlessText.line(configuration.path)) anew, and other runs go on from what is in it "
            + "(\(HarmlessText.line(state))): give the replay another -o")
        throw .output
      }
      configuration.state.isKept = false
    }
    do throws(SinkError) {
      return try OutputPlace(configuration)
    } catch {
      standardError("error: \(error.failure.message)\(Mending(error).text)")
      throw .output
    }
  }

  /// A value as JSON: JSON itself, or a text. A number that would read otherwise once it is kept as one is a text, too: 1.10 may
  /// be a version, and no number has as many digits as 12345678901234567890.
  static func json(_ text: String) -> Bytes {
    if let tree = try? JSONTree(text), tree.keepsItsDigits { return Bytes(text) }
    var writer = JSONWriter()
    writer.text(text)
    return writer.bytes()
  }

  /// Whether a script that loops itself, and returns no source, is none for this.
  var needsSources: Bool { shard != nil || lister != nil || parts != nil }

  /// The permissions plus what the command itself grants.
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

  /// No output replaces the script or another output, standard streams too: errors have been shown when it throws.
  func checkOutputs(of script: ScriptFile) throws(RunExit) {
    let outputs = [
      ("-o", isFirstLook ? "-" : output.output), ("--trace", report.trace), ("--record", report.record),
      ("--summary", report.summary), ("--report", report.page), ("--state", state.state),
    ]
    var known = StandardStream.allCases.compactMap { stream in
      FileIdentity(of: stream).map { (file: $0, name: "where \(stream.name) goes") }
    }
    if !script.isGenerated, let file = FileIdentity(script.path) { known.append((file, "the script itself")) }
    if let path = report.replay, let file = FileIdentity(path) {
      known.append((file, "the recording of --replay"))
    }
    for (option, path) in outputs {
      guard let path, StandardStream(path: path) == nil, let file = FileIdentity(path) else { continue }
      if let other = known.first(where: { $0.file == file }) {
        standardError("error: \(option) \(path): that is \(other.name), and would be written over")
        throw .usage
      }
      known.append((file, "the file of \(option)"))
    }
  }
}

extension JSONTree {
  /// Whether it is no number that would be written with other digits.
  var keepsItsDigits: Bool {
    guard case .number(let text) = self else { return true }
    return Int64(text)?.description == text || Double(text)?.description == text
  }
}

/// The identity of a file, whatever its path; nil unless it is a regular file.
private enum FileIdentity: Equatable {
  case file(device: UInt64, number: UInt64)
  /// A missing file.
  case missing(folder: String, name: Substring)

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT, let name = path.split(separator: "/").last else { return nil }
      self = .missing(folder: ScriptFile.folder(of: path), name: name)
      return
    }
    self.init(status)
  }

  /// Of what a standard stream goes to.
  init?(of stream: StandardStream) {
    var status = stat()
    guard fstat(stream.rawValue, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self = .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }
}
