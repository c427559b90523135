import Glibc
import Items
import JSON
import Paging

/// The files of a folder of parts, by partition and epoch.
///
/// An epoch is claimed by making the file of its rows, which only one process can. Each epoch writes files of its own, so who
/// was superseded can spoil nothing; the highest epoch is the one that counts.
struct PartFolder {
  /// What a process gets that wants to write a partition.
  enum Claim {
    /// All of it is there.
    case done(PartRecord)
    /// It may be written under this epoch; an earlier one may have left something to go on from.
    case begun(epoch: Int, before: Int?)
  }

  let path: String
  /// The lowest epoch of this run: those below belong to the run whose manifest is there.
  let firstEpoch: Int

  /// The folder with that resolved path; the folder of the parts is made.
  init(_ path: String) throws(SinkError) {
    self.path = path
    guard mkdir("\(path)/parts", 0o777) == 0 || errno == EEXIST else {
      throw SinkError(.last, "make the folder", path: "\(path)/parts")
    }
    firstEpoch = try PartFolder.nextEpoch(of: path)
  }

  func file(_ id: String, _ epoch: Int, _ ending: String = "ndjson") -> String {
    "\(path)/parts/\(id).\(epoch).\(ending)"
  }

  /// The names of what is in it, or in the folder of the parts.
  func names(ofParts: Bool = false) throws(SinkError) -> [String] {
    let path = ofParts ? "\(path)/parts" : path
    do throws(SystemError) {
      // Those of parts are ASCII.
      return try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY).names(upTo: .max)?.compactMap {
        String(validating: $0, as: UTF8.self)
      } ?? []
    } catch {
      throw SinkError(error, "read", path: path)
    }
  }

  /// Whether the epoch of the partition was ever claimed.
  func exists(_ id: String, _ epoch: Int) -> Bool { access(file(id, epoch), F_OK) == 0 }

  /// Claims the next epoch of a partition, unless all of it is there. One that begins anew goes on from nothing.
  func claim(_ id: String, isFresh: Bool) throws(SinkError) -> Claim {
    var epoch = firstEpoch
    while exists(id, epoch) { epoch += 1 }
    // One that is damaged is read again.
    if epoch > firstEpoch, !isFresh, let record = record(of: id, epoch - 1),
      damage(of: id, epoch - 1) == nil
    {
      return .done(record)
    }
    while true {
      do throws(SystemError) {
        _ = try FileDescriptor.open(file(id, epoch), O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        let earlier = (firstEpoch..<epoch).reversed()
        return .begun(epoch: epoch, before: isFresh ? nil : earlier.first { hasState(id, $0) })
      } catch {
        guard error.number == EEXIST else { throw SinkError(error, path: file(id, epoch)) }
        epoch += 1
      }
    }
  }

  /// The epoch of an earlier run whose state says where the next reading begins.
  func epochOfEarlierRun(_ id: String) -> Int? {
    (1..<max(1, firstEpoch)).reversed().first { hasState(id, $0) }
  }

  private func hasState(_ id: String, _ epoch: Int) -> Bool {
    var status = stat()
    return stat(file(id, epoch, "ndjson.state"), &status) == 0 && status.st_size > 0
  }

  /// What is noted of a whole part; nil if it is none.
  func record(of id: String, _ epoch: Int) -> PartRecord? {
    guard let text = try? WholeFile.read(file(id, epoch, "done")) else { return nil }
    return PartRecord(text.string, id: id, epoch: epoch)
  }

  /// What is noted of the last part of an earlier run that was whole; nil if there was none.
  func recordOfEarlierRun(_ id: String) -> PartRecord? {
    (1..<max(1, firstEpoch)).reversed().lazy.compactMap { record(of: id, $0) }.first
  }

  /// Fails where the file of a part is not as it was when the part was whole.
  func check(_ id: String, _ epoch: Int) throws(SinkError) {
    guard let damage = damage(of: id, epoch) else { return }
    throw SinkError(
      HostFailure(
        .io,
        "\(file(id, epoch).escapingControls) is damaged: \(damage); remove it, with the .done beside it, and run its partition again"
      ))
  }

  /// How the file of a part is not as it was when the part was whole; nil if it is.
  private func damage(of id: String, _ epoch: Int) -> String? {
    guard let record = record(of: id, epoch) else { return "nothing says that it is whole" }
    do throws(SystemError) {
      let file = try FileDescriptor.open(file(id, epoch), O_RDONLY)
      let count = Int(try file.status().st_size)
      if count != record.bytes {
        return "it has \(count.grouped) bytes, and had \(record.bytes.grouped) when it was whole"
      }
      return try file.digest(at: count) == record.digest ? nil : "its end is another than when it was whole"
    } catch {
      return error.reason
    }
  }

  /// Notes that a part is whole.
  func note(_ record: PartRecord) throws(SinkError) {
    try replace(file(record.id, record.epoch, "done")) { file throws(SystemError) in
      try file.write(record.text + "\n")
    }
  }

  /// Writes a file beside, which then takes the place.
  func replace(
    _ target: String, _ write: (FileDescriptor) throws(SystemError) -> Void
  ) throws(SinkError) {
    let temporary = "\(target).\(getpid())"
    do throws(SystemError) {
      try write(try FileDescriptor.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666))
      guard rename(temporary, target) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      throw SinkError(error, path: target)
    }
  }

  /// Copies what an earlier epoch has kept, for a new one to go on from: its rows, and its state at last. Whoever wrote it may
  /// still do so, and only adds.
  func copy(_ id: String, from earlier: Int, to epoch: Int) throws(SinkError) {
    let state = file(id, earlier, "ndjson.state")
    for _ in 0..<100 {
      let before = PartFolder.version(of: state)
      try copy(state, file(id, epoch, "copied"))
      try copy(state + "-wal", file(id, epoch, "ndjson.state-wal"))
      // Its log was moved into it meanwhile: the two belong to different moments.
      if PartFolder.version(of: state) == before { break }
    }
    try copy(file(id, earlier), file(id, epoch))
    guard rename(file(id, epoch, "copied"), file(id, epoch, "ndjson.state")) == 0 else {
      throw SinkError(.last, path: file(id, epoch))
    }
  }

  private static func version(of path: String) -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    // Which module the members of a time come from depends on what the compiler has read before.
    return [Int(status.st_size)] + withUnsafeBytes(of: status.st_mtim) { $0.map(Int.init) }
  }

  /// Copies a file as long as it is now; one that is not there is empty.
  private func copy(_ path: String, _ target: String) throws(SinkError) {
    do throws(SystemError) {
      let copy = try FileDescriptor.open(target, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      guard let source = try? FileDescriptor.open(path, O_RDONLY) else { return }
      try copy.copy(from: source, count: Int(try source.status().st_size))
    } catch {
      throw SinkError(error, path: target)
    }
  }

  /// Forgets what was copied.
  func removeState(_ id: String, _ epoch: Int) {
    for ending in ["ndjson.state", "ndjson.state-wal"] { unlink(file(id, epoch, ending)) }
  }

  /// The epoch at which the next run begins, as the manifest of the last one says.
  private static func nextEpoch(of path: String) throws(SinkError) -> Int {
    guard access("\(path)/manifest.json", F_OK) == 0 else { return 1 }
    guard let head = PartManifest.head(of: "\(path)/manifest.json") else {
      throw SinkError(
        HostFailure(
          .invalid, "\(path.escapingControls)/manifest.json is none of ours, or damaged: use another folder"))
    }
    return head.nextEpoch
  }
}

extension FileDescriptor {
  /// Writes a text.
  func write(_ text: String) throws(SystemError) {
    var text = text
    let result: Result<Void, SystemError> = text.withUTF8 { utf8 in
      do throws(SystemError) { return .success(try write(UnsafeRawBufferPointer(utf8))) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
