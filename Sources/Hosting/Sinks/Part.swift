import Glibc
import Items
import Paging

/// One part that is written: its rows go to the file of its epoch.
///
/// One that is whole before anything of it was kept needs no state; that of others is beside it until it is whole.
final class Part {
  let id: String
  let epoch: Int
  private let folder: PartFolder
  private let configuration: SinkConfiguration
  private let hurried: StopFlag
  private let request: ReadingRequest
  private var record: PartRecord
  /// Nil as long as nothing was written.
  private var streams: SinkStreams?
  /// The reading as the streams know it.
  private var reading = 0
  private var held: [Delivery] = []
  /// What an earlier run has left of it, whose lines come before those of this one.
  private var earlier: PartRecord?
  /// Whether its end has come, with all that the source says to have.
  private(set) var ending: ReadingMark.Place?

  init(
    _ id: String, epoch: Int, of request: ReadingRequest, in folder: PartFolder,
    _ configuration: SinkConfiguration, _ hurried: StopFlag
  ) {
    self.id = id
    self.epoch = epoch
    self.folder = folder
    self.configuration = configuration
    self.hurried = hurried
    self.request = request
    record = PartRecord(id: id, epoch: epoch, request)
  }

  private var write: WriteMode? { configuration.state.write ?? request.write }
  /// What names its items; those that are all kept are only counted.
  private var identity: ItemDeclaration.Identity { write == .append ? .none : request.items.identity }
  var items: Int { record.items }
  var pages: Int { record.pages }

  /// Whether a later epoch was claimed.
  var isSuperseded: Bool { folder.exists(id, epoch + 1) }

  /// Begins its reading, from what an earlier epoch has kept, if any.
  func begin(before: Int?) throws(SinkError) -> BegunReading {
    let continues = request.isIncremental || write == .append
    let ofEarlierRun = continues ? folder.epochOfEarlierRun(id) : nil
    guard let before = before ?? ofEarlierRun else {
      return try continues ? beginWithState() : BegunReading(request)
    }
    earlier = ofEarlierRun.flatMap { _ in folder.recordOfEarlierRun(id) }
    try folder.copy(id, from: before, to: epoch)
    let begun = try beginWithCopiedState()
    // Of rows that were copied, none counts.
    if begun.position == nil, !begun.isDone, !continues { truncate(folder.file(id, epoch), 0) }
    return begun
  }

  /// Begins its reading anew, without what it had.
  func beginAnew() throws(SinkError) -> BegunReading {
    var request = request
    request.isAnew = true
    (record.items, record.pages) = (0, 0)
    return try streams?.begin(request) ?? BegunReading(request)
  }

  /// Where what was kept makes no sense, all is read from the start; but what readings were to be added to is not thrown away.
  private func beginWithCopiedState() throws(SinkError) -> BegunReading {
    do throws(SinkError) {
      return try beginWithState()
    } catch  where error.failure.code == .io && !error.isDiskFailure && write != .append {
      abandon()
      folder.removeState(id, epoch)
      truncate(folder.file(id, epoch), 0)
      return try beginWithState()
    }
  }

  private func beginWithState() throws(SinkError) -> BegunReading {
    let streams = try makeStreams(keepsState: true)
    let begun = try streams.begin(request)
    reading = begun.id
    (record.items, record.pages) = (begun.items, begun.pages)
    if begun.isDone { record.bookmark = begun.bookmark?.string }
    return begun
  }

  private func makeStreams(keepsState: Bool) throws(SinkError) -> SinkStreams {
    var configuration = configuration
    // What an earlier run has left is not what this one goes on with, even if that was killed before it could say that it has ended.
    configuration.state.run = "\(folder.firstEpoch)"
    let place = try OutputPlace(
      part: folder.file(id, epoch), of: identity, configuration, keepsState: keepsState)
    let streams = try SinkStreams(place, hurried)
    self.streams = streams
    return streams
  }

  func write(_ delivery: Delivery) throws(SinkError) {
    record.items += delivery.itemCount
    if let mark = delivery.mark {
      record.pages = mark.pages
      if case .end(let isComplete) = mark.place {
        ending = mark.place
        record.bookmark = isComplete ? mark.bookmark?.string : nil
      }
    }
    if streams == nil { return held.append(delivery) }
    try pass(delivery)
  }

  private func pass(_ delivery: Delivery) throws(SinkError) {
    var delivery = delivery
    delivery.reading = reading
    try streams?.write(delivery)
  }

  private func passHeld() throws(SinkError) {
    let held = held
    self.held = []
    for delivery in held { try pass(delivery) }
  }

  /// Keeps what was written so far.
  func commit() throws(SinkError) {
    if streams == nil {
      guard !held.isEmpty else { return }
      _ = try makeStreams(keepsState: true)
      reading = try streams?.begin(request).id ?? 0
      try passHeld()
    }
    try streams?.commit()
  }

  /// Completes it, and notes that.
  func finish() throws(SinkError) -> PartRecord {
    if streams == nil, held.contains(where: { $0.itemCount > 0 }) {
      _ = try makeStreams(keepsState: false)
      try passHeld()
    }
    try streams?.commit()
    try measure()
    try folder.note(record)
    try leave(.whole)
    removeEmptyState()
    return record
  }

  /// Its file is on the disk: notes what is in it.
  private func measure() throws(SinkError) {
    let path = folder.file(id, epoch)
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, O_RDONLY)
      record.bytes = Int(try file.status().st_size)
      if record.bytes > 0 { try file.synchronize() }
      record.digest = try file.digest(at: record.bytes)
      // What was begun anew since has other lines.
      if let earlier, earlier.bytes <= record.bytes, try file.digest(at: earlier.bytes) == earlier.digest {
        record.earlier = earlier.stretches
      }
    } catch {
      throw SinkError(error, path: path)
    }
    record.idField = try identity.field.flatMap { field throws(SinkError) in
      try PartRows.lack(field, in: path) ? nil : field
    }
  }

  /// Closes it as it was last kept, for another epoch to go on from.
  func leave(_ ending: SinkEnding) throws(SinkError) {
    guard let streams else { return }
    self.streams = nil
    try streams.close(ending)
  }

  /// Writes no more of it.
  func abandon() {
    streams?.abandon()
    streams = nil
    held = []
  }

  /// The state of a part that is whole says nothing, unless the next reading comes behind this one.
  private func removeEmptyState() {
    for ending in ["ndjson.state", "ndjson.state-wal"] {
      var status = stat()
      let path = folder.file(id, epoch, ending)
      if stat(path, &status) == 0, status.st_size == 0 { unlink(path) }
    }
  }
}
