import Glibc
import Items
import Paging

/// Streams' way to a text output.
protocol SinkStream: AnyObject {
  var file: SinkFile { get }

  /// Writes what is delivered; with a tag, each item says that it is of the stream of that name.
  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError)

  /// Writes what makes the text complete.
  func end() throws(SinkError)
}

/// Brings streams to text outputs: one to its file or standard output, several to a file each in a folder or, tagged,
/// together to one.
final class SinkStreams: SinkWriter {
  private let configuration: SinkConfiguration
  private let hurried: StopFlag
  /// By file name in a folder; otherwise there is one, without a name.
  private var streams: [String: any SinkStream] = [:]
  private var tags: [String: SinkTag] = [:]
  /// The stream that has the output to itself.
  private var onlyStream: String?

  /// While `hurried` is set, a reader who takes nothing for a second is given up.
  init(_ configuration: SinkConfiguration, _ hurried: StopFlag) throws(SinkError) {
    self.configuration = configuration
    self.hurried = hurried
    if configuration.isFolder {
      try SinkStreams.makeFolder(configuration.path)
    } else {
      streams[""] = try open(configuration.path)
    }
  }

  var bytes: Int { streams.values.reduce(0) { $0 + $1.file.offset } }

  func write(_ delivery: Delivery) throws(SinkError) {
    let name = delivery.stream ?? configuration.defaultStream
    let stream = try stream(name)
    try stream.write(delivery, tag: configuration.isTagged ? tag(name) : nil)
  }

  func commit() throws(SinkError) {
    for stream in streams.values { try stream.file.flush() }
  }

  func close() throws(SinkError) {
    var problem: SinkError?
    for stream in streams.values {
      do throws(SinkError) {
        try stream.end()
        try stream.file.flush()
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
  }

  private func stream(_ name: String) throws(SinkError) -> any SinkStream {
    if configuration.isFolder { return try streamInFolder(name) }
    if !configuration.isTagged && !configuration.writesChanges {
      guard onlyStream == nil || onlyStream == name else { throw SinkError(crowd(onlyStream!, name)) }
      onlyStream = name
    }
    return streams[""]!
  }

  private func streamInFolder(_ name: String) throws(SinkError) -> any SinkStream {
    if let stream = streams[name] { return stream }
    guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(where: { $0 == 0 || $0 == 0x2F })
    else {
      throw SinkError(
        HostFailure(.invalid, "\"\(name.escapingControls)\" names a stream, but can't name a file"))
    }
    let slash = configuration.path.hasSuffix("/") ? "" : "/"
    let path = "\(configuration.path)\(slash)\(name).\(configuration.format.rawValue)"
    let stream = try open(path)
    streams[name] = stream
    return stream
  }

  private func tag(_ name: String) -> SinkTag {
    if let tag = tags[name] { return tag }
    let tag = SinkTag(stream: name)
    tags[name] = tag
    return tag
  }

  private func crowd(_ first: String, _ second: String) -> HostFailure {
    let output = configuration.path == "-" ? "standard output" : configuration.path.escapingControls
    return HostFailure(
      .invalid,
      "the streams \(first.escapingControls) and \(second.escapingControls) can't both go to \(output): "
        + "--tag marks each item with its stream, -o FOLDER/ makes a file for each")
  }

  private func open(_ path: String) throws(SinkError) -> any SinkStream {
    let isJSON = configuration.format != .csv
    let file = try SinkFile(path, hurried) { isJSON ? HarmlessText.json($0) : HarmlessText.rows($0) }
    switch configuration.format {
    case .csv: return SinkCSV(file)
    case .json where configuration.writesChanges: return SinkOperations(file, isArray: true)
    case .ndjson where configuration.writesChanges: return SinkOperations(file, isArray: false)
    case .json: return SinkJSON(file, isArray: true)
    case .ndjson: return SinkJSON(file, isArray: false)
    case .sqlite: preconditionFailure("a database is not a text")
    }
  }

  private static func makeFolder(_ path: String) throws(SinkError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw SinkError(HostFailure(.last, "make the folder", path))
  }
}

extension Delivery {
  /// What a text of items gets, which has no place for what goes or moves: new items and new forms, in their order.
  var broughtItems: [Item] { operations.isEmpty ? items : items + operations.compactMap(\.item) }
}
