import Glibc
import Items
import Paging
import Text

/// Writes streams to a text output.
protocol SinkStream: AnyObject {
  var file: SinkFile { get }

  /// Writes a delivery; with a tag, each item names its stream.
  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError)

  /// What completes the text written so far.
  var closing: StaticString { get }

  /// Writes what makes the text complete.
  func finish() throws(SinkError)
}

extension SinkStream {
  var closing: StaticString { "" }
}

/// Writes streams to text outputs: one to its file or standard output, several to a file each in a directory or,
/// tagged, together to one.
final class SinkStreams: SinkWriter {
  private(set) var remains = SinkRemains()
  private let place: OutputPlace
  private var configuration: SinkConfiguration { place.configuration }
  private let hurried: StopFlag
  /// Whether others see what is written.
  private var isPublished = false
  /// By file name in a directory; otherwise a single unnamed one.
  private var streams: [String: any SinkStream] = [:]
  /// Set once closed.
  private var writtenBytes: Int?
  private var tags: [String: SinkTag] = [:]
  /// The stream that has the output to itself.
  private var onlyStream: String?

  /// While `hurried` is set, a reader that stalls for a second is abandoned.
  init(_ place: OutputPlace, _ hurried: StopFlag) throws(SinkError) {
    self.place = place
    self.hurried = hurried
    switch place.way {
    case .folder: break
    case .text(let staged): streams[""] = stream(to: try SinkFile(staged))
    case .open, .database: streams[""] = stream(to: try openFile())
    }
  }

  var bytes: Int { writtenBytes ?? streams.values.reduce(0) { $0 + $1.file.offset } }

  func write(_ delivery: Delivery) throws(SinkError) {
    let name = delivery.stream ?? configuration.defaultStream
    let stream = try stream(name)
    try stream.write(delivery, tag: configuration.isTagged ? tag(name) : nil)
  }

  func commit() throws(SinkError) {
    for stream in streams.values {
      // What was written to a pipe can't be undone.
      guard isPublished, let staged = stream.file.staged else {
        try stream.file.flush()
        continue
      }
      // A CSV whose header is too short gets a new one before others see the row.
      if stream.closing.utf8CodeUnitCount == 0 { try stream.finish() }
      try stream.file.flush(closing: stream.closing)
      guard !staged.isPublished else { continue }
      try stream.file.synchronize()
      try stream.file.publish()
    }
  }

  func publish() throws(SinkError) {
    isPublished = true
    for stream in streams.values { try stream.file.begin() }
    try commit()
  }

  private func stream(_ name: String) throws(SinkError) -> any SinkStream {
    if configuration.isFolder { return try streamInFolder(name) }
    if !configuration.isTagged && !configuration.writesChanges {
      guard onlyStream == nil || onlyStream == name else {
        throw SinkError(configuration.crowd(onlyStream!, name))
      }
      onlyStream = name
    }
    return streams[""]!
  }

  private func streamInFolder(_ name: String) throws(SinkError) -> any SinkStream {
    if let stream = streams[name] { return stream }
    if let failure = configuration.refusal(ofStreams: [name]) { throw SinkError(failure) }
    let slash = configuration.path.hasSuffix("/") ? "" : "/"
    let path = "\(configuration.path)\(slash)\(name).\(configuration.format.rawValue)"
    try SinkFile.spareDatabase(path)
    let stream = stream(to: try SinkFile(try StagedFile(path)))
    streams[name] = stream
    return stream
  }

  private func tag(_ name: String) -> SinkTag {
    if let tag = tags[name] { return tag }
    let tag = SinkTag(stream: name)
    tags[name] = tag
    return tag
  }

  private func openFile() throws(SinkError) -> SinkFile {
    let isJSON = configuration.format != .csv
    return try SinkFile(configuration.path, hurried) {
      isJSON ? HarmlessText.json($0) : HarmlessText.rows($0)
    }
  }

  private func stream(to file: SinkFile) -> any SinkStream {
    switch configuration.format {
    case .csv: return SinkCSV(file, isSafe: configuration.isCSVSafe)
    case .json where configuration.writesChanges: return SinkOperations(file, isArray: true)
    case .ndjson where configuration.writesChanges: return SinkOperations(file, isArray: false)
    case .json: return SinkJSON(file, isArray: true)
    case .ndjson: return SinkJSON(file, isArray: false)
    case .sqlite: preconditionFailure("a database is not a text")
    }
  }
}

extension SinkStreams {
  func close(_ ending: SinkEnding) throws(SinkError) {
    defer {
      writtenBytes = bytes
      streams = [:]
      place.release()
    }
    var problem: SinkError?
    func trying(_ body: () throws(SinkError) -> Void) {
      do throws(SinkError) { try body() } catch { problem = problem ?? error }
    }
    for stream in streams.values {
      // What was never begun stays as an earlier run left it.
      guard ending == .whole || stream.file.isBegun || stream.file.staged == nil else { continue }
      trying { () throws(SinkError) in
        try stream.file.begin()
        try stream.finish()
        try stream.file.flush()
        try stream.file.synchronize()
      }
    }
    let ending = problem == nil ? ending : .broken
    for stream in streams.values.sorted(by: { $0.file.name < $1.file.name }) {
      trying { () throws(SinkError) in try settle(stream.file, ending) }
    }
    if let problem { throw problem }
  }

  /// An existing file stays, unless there is a complete one to replace it.
  private func settle(_ file: SinkFile, _ ending: SinkEnding) throws(SinkError) {
    guard let staged = file.staged, !staged.isPublished else { return }
    guard file.isBegun else { return staged.leave() }
    if ending == .whole || ending == .cut && !staged.hasOld || staged.isInPlace {
      do throws(SinkError) { return try file.publish() } catch {
        keepStaged(staged)
        throw error
      }
    }
    keepStaged(staged)
  }

  private func keepStaged(_ staged: StagedFile) {
    staged.keepStaged()
    remains.keepsOld = remains.keepsOld || staged.hasOld
    remains.aside.append(staged.partialName)
  }
}

extension Delivery {
  /// The items for a text, which has no place for removals and moves: new items and updates, in order.
  var broughtItems: [Item] { operations.isEmpty ? items : items + operations.compactMap(\.item) }
}
