import Glibc
import Items

/// A text that is written beside the file whose place it takes when it is whole: readers find the old one or the new one.
///
/// It is called as the file with `.partial` behind it; a kill leaves it there, and the next run begins it anew. Both are locked
/// as long as this is held.
final class StagedFile {
  /// The path of the file as the user gave it.
  let name: String
  /// The file being written; `replace` changes it.
  private(set) var file: FileDescriptor
  /// Whether the file itself is written, since its directory is not writable.
  let isInPlace: Bool
  /// Whether there is a previous file, which stays unless this one is completed.
  let hasOld: Bool
  /// Whether it was moved into place.
  private(set) var isPublished = false
  private var isSettled = false
  private let paths: CageBroker.Staged
  /// Held for its lock.
  private let old: FileDescriptor?

  /// Opens it for the file at that path, which is not changed yet.
  init(_ path: String) throws(SinkError) {
    name = path
    if let refusal = StandardStream.refusal(of: path) { throw SinkError(refusal) }
    guard let resolved = ResolvedPath(path)?.path else {
      throw SinkError(SystemError(number: EINVAL), path: path)
    }
    paths = CageBroker.Staged(partial: resolved + StagedFile.ending, target: resolved)
    if let target = try StagedFile.lockedTarget(resolved, shown: path) {
      let status = try? target.status()
      if let partial = try StagedFile.partial(paths, like: status, shown: path) {
        (file, old, isInPlace) = (partial, target, false)
      } else {
        (file, old, isInPlace) = (target, nil, true)
      }
      hasOld = true
      return
    }
    guard let partial = try StagedFile.partial(paths, like: nil, shown: path) else {
      throw SinkError(SystemError(number: EACCES), path: path)
    }
    (file, isInPlace) = (partial, false)
    // A run that ended in between has replaced the file.
    old = try StagedFile.lockedTarget(resolved, shown: path)
    hasOld = old != nil
  }

  /// Opens a file that is there and is written itself: nobody reads it before it is noted to be whole.
  init(part path: String) throws(SinkError) {
    name = path
    paths = CageBroker.Staged(partial: path, target: path)
    guard let part = try StagedFile.lockedTarget(path, shown: path) else {
      throw SinkError(SystemError(number: ENOENT), path: path)
    }
    (file, old, isInPlace, hasOld) = (part, nil, true, false)
  }

  deinit { leave() }

  /// The displayed name of the incomplete file.
  var partialName: String { name + StagedFile.ending }

  /// Whether the file whose place it takes has anything in it.
  var replacesText: Bool { (try? old?.status()).map { $0.st_size > 0 } ?? false }

  /// The length of what is written.
  var length: Int? { (try? file.status()).map { Int($0.st_size) } }

  /// The length of the file whose place it takes, and what stands for its last bytes before a length; nil where there is none.
  var target: (length: Int, digest: (Int) -> String?)? {
    guard let old, let status = try? old.status(), !isPublished else { return nil }
    return (Int(status.st_size), { try? old.digest(at: $0) })
  }

  /// The broker's duty for it.
  var duty: CageBroker.Staged? { isInPlace ? nil : paths }

  /// Where an earlier run has left what it wrote.
  enum Form {
    /// In the file beside.
    case staged
    /// In the file itself.
    case published
  }

  /// Where so many bytes with that digest at their end are; nil if they are nowhere.
  func form(of length: Int, _ digest: String) -> Form? {
    func has(_ file: FileDescriptor?) -> Bool {
      guard let file, let status = try? file.status(), status.st_size >= length else { return false }
      return (try? file.digest(at: length)) == digest
    }
    return has(file) ? .staged : has(old) ? .published : nil
  }

  /// Goes on behind so many bytes.
  func goOn(at length: Int, with form: Form) throws(SystemError) {
    if form == .published, let old {
      try file.empty()
      try file.copy(from: old, count: length)
    }
    try file.cut(at: length)
  }

  /// Truncates the file: the first items have come.
  func begin() throws(SystemError) { try file.empty() }

  /// Replaces the written contents by what `write` makes of them.
  func replace(
    _ write: (_ source: FileDescriptor, _ target: FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    let source = file
    var made: FileDescriptor?
    try source.seek(to: 0)
    let path = isPublished ? paths.target : paths.partial
    func fill(_ target: FileDescriptor) throws(SystemError) {
      // Before it gets the name of the locked one.
      guard target.withNumber(OutputLock.lock) != EWOULDBLOCK else { throw SystemError(number: EBUSY) }
      try write(source, target)
      try target.synchronize()
      made = target
    }
    if let broker = CageBroker.current, broker.replaces(path) {
      try broker.replace(path, fill)
    } else {
      try WholeFile.replace(resolved: path, fill)
    }
    if let made { file = made }
  }

  /// Ensures that all of it is on disk.
  func synchronize() throws(SystemError) { try file.synchronize() }

  /// Moves it into place.
  func publish() throws(SystemError) {
    guard !isPublished else { return }
    if !isInPlace {
      if let broker = CageBroker.current, broker.stages(paths) {
        try broker.publish(paths)
      } else {
        try WholeFile.rename(paths.partial, to: paths.target)
      }
    }
    isPublished = true
    isSettled = true
  }

  /// Leaves it next to the other file.
  func keepStaged() { isSettled = true }

  /// Nothing was written: removes an empty file, and keeps what an earlier run left.
  func leave() {
    guard !isSettled, !isInPlace else { return }
    isSettled = true
    guard let status = try? file.status(), status.st_size == 0 else { return }
    if let broker = CageBroker.current, broker.stages(paths) {
      broker.discard(paths)
    } else {
      unlink(paths.partial)
    }
  }

  /// The existing file, locked; it must be writable, although it is replaced.
  private static func lockedTarget(_ path: String, shown: String) throws(SinkError) -> FileDescriptor? {
    do throws(SinkError) {
      return try OutputLock.open(path, O_RDWR, shown: shown)
    } catch  where error.number == EACCES {
      return try OutputLock.open(path, O_WRONLY, shown: shown)
    }
  }

  /// The file next to it, with its owner and mode; nil if it can't be created.
  private static func partial(
    _ paths: CageBroker.Staged, like old: stat?, shown: String
  ) throws(SinkError) -> FileDescriptor? {
    let mode = old.map { $0.st_mode & 0o777 } ?? 0o666
    let file: FileDescriptor?
    do throws(SinkError) {
      file = try OutputLock.open(paths.partial, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode, shown: shown)
    } catch {
      let isRefused = error.number.map { [EACCES, EPERM, EROFS, ENAMETOOLONG].contains($0) } ?? false
      if isRefused, old != nil { return nil }
      throw error
    }
    guard let file else { throw SinkError(SystemError(number: ENOENT), path: shown) }
    guard let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG else {
      throw SinkError(SystemError(number: EEXIST), path: shown + ending)
    }
    if let old { file.adopt(ownerAndModeOf: old) }
    return file
  }

  private static let ending = ".partial"
}
