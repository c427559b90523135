import Glibc
import Items
import Paging

/// Writes a part for each partition, and at the end of a whole run the manifest.
final class SinkParts: SinkWriter {
  let changes = SinkChanges()
  private(set) var remains = SinkRemains()
  private(set) var bytes = 0
  private let place: OutputPlace
  private let options: PartsOptions
  private let folder: PartFolder
  private let mark: PartMark
  private let hurried: StopFlag
  private let tell: @Sendable (PartEvent) -> Void
  private var parts: [Int: Part] = [:]
  /// Parts with something new.
  private var touched: Set<Int> = []
  private var readings = 0
  /// Partitions that were begun and are not over.
  private var open: [String: Int] = [:]
  /// Epochs of the parts that are whole.
  private var done: [String: Int] = [:]
  /// Whether a partition was to be read, and is not whole.
  private var lacksParts = false

  init(_ place: OutputPlace, _ options: PartsOptions, _ hurried: StopFlag) throws(SinkError) {
    self.place = place
    self.options = options
    self.hurried = hurried
    tell = place.partEvents
    guard let path = ResolvedPath(place.configuration.path)?.path else {
      throw SinkError(SystemError(number: EINVAL), path: place.configuration.path)
    }
    folder = try PartFolder(path)
    mark = try PartMark(options, in: folder)
  }

  func begin(_ request: ReadingRequest) throws(SinkError) -> BegunReading {
    let id = PartitionID(source: request.source, partition: request.partition).text
    readings += 1
    var begun = BegunReading(id: readings)
    if request.isAnew, let reading = open[id], let part = parts[reading] {
      begun = try part.beginAnew()
      begun.id = reading
      return begun
    }
    if let other = open[id].flatMap({ parts[$0] }) {
      // The same partition once more: who has begun it reads it.
      (begun.isDone, begun.items) = (true, other.items)
      return begun
    }
    if let epoch = done[id], let record = folder.record(of: id, epoch) {
      (begun.isDone, begun.items) = (true, record.items)
      return begun
    }
    switch try folder.claim(id, isFresh: place.configuration.state.isFresh) {
    case .done(let record):
      done[id] = record.epoch
      (begun.isDone, begun.items) = (true, record.items)
      tell(.done(record, isNew: false))
    case .begun(let epoch, let before):
      let part = Part(id, epoch: epoch, of: request, in: folder, place.configuration, hurried)
      begun = try part.begin(before: before)
      begun.id = readings
      if begun.isDone {
        // An earlier epoch has read it to its end, and was stopped before it could say so.
        tell(.done(try part.finish(), isNew: true))
        done[id] = epoch
        return begun
      }
      parts[readings] = part
      open[id] = readings
      tell(.begun(id: id, epoch: epoch, items: begun.items))
    }
    return begun
  }

  func begin(step key: String, _ parameters: String) throws(SinkError) -> BegunStep {
    throw SinkError(SinkParts.noPartition)
  }

  func write(_ delivery: Delivery) throws(SinkError) {
    guard let reading = delivery.reading else { throw SinkError(SinkParts.noPartition) }
    guard let part = parts[reading] else { return }
    try part.write(delivery)
    touched.insert(reading)
    bytes += delivery.byteCount
  }

  func commit() throws(SinkError) {
    let touched = touched.sorted()
    self.touched = []
    for reading in touched {
      guard let part = parts[reading] else { continue }
      if part.isSuperseded {
        part.abandon()
        forget(reading, part)
        tell(.superseded(id: part.id, epoch: part.epoch))
      } else if part.ending == .end(isComplete: true) {
        let record = try part.finish()
        forget(reading, part)
        done[part.id] = part.epoch
        tell(.done(record, isNew: true))
      } else {
        try part.commit()
        if part.ending == nil {
          tell(.position(id: part.id, epoch: part.epoch, pages: part.pages, items: part.items))
        } else {
          try part.leave(.cut)
          forget(reading, part)
          lacksParts = true
          tell(.incomplete(id: part.id, epoch: part.epoch))
        }
      }
    }
  }

  func publish() throws(SinkError) { try commit() }

  func leave(partition id: String) throws(SinkError) {
    lacksParts = true
    guard let reading = open[id], let part = parts[reading] else { return }
    forget(reading, part)
    try part.leave(.paused)
  }

  private func forget(_ reading: Int, _ part: Part) {
    parts[reading] = nil
    open[part.id] = nil
  }

  func close(_ ending: SinkEnding) throws(SinkError) {
    defer { place.release() }
    var problem: SinkError?
    func trying(_ body: () throws(SinkError) -> Void) {
      do throws(SinkError) { try body() } catch { problem = problem ?? error }
    }
    if ending != .broken { trying { () throws(SinkError) in try commit() } }
    let isWhole = ending == .whole && parts.isEmpty && !lacksParts && problem == nil
    for reading in parts.keys.sorted() {
      trying { () throws(SinkError) in try parts[reading]?.leave(ending == .broken ? .broken : .paused) }
    }
    parts = [:]
    if isWhole { trying { () throws(SinkError) in try endWhole() } }
    if let problem { throw problem }
  }

  private func endWhole() throws(SinkError) {
    if options.endsRun { try writeManifest() }
    try mark.remove()
  }

  private func writeManifest() throws(SinkError) {
    // What other runs have brought of other partitions stays.
    if options.shard == nil {
      for (id, epoch) in PartManifest.parts(of: "\(folder.path)/manifest.json") ?? [] where done[id] == nil {
        try folder.check(id, epoch)
        done[id] = epoch
      }
    }
    try PartManifest.write(
      options.shard.map(PartManifest.name(of:)) ?? "manifest.json", of: folder, script: options.script,
      listed: options.listed?.text, done.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// What a script emits itself is no partition's.
  static let noPartition = HostFailure(
    .invalid,
    "here all rows are of the partitions of the sources that the script returns: what it emits itself "
      + "belongs to none (emit nothing, or use `lookahead run` without --parts)")
}
