import Glibc
import Items

/// A text that is written beside the file whose place it takes when it is whole: readers find the old one or the new one.
///
/// It is called as the file with `.partial` behind it; a kill leaves it there, and the next run begins it anew. Both are locked
/// as long as this is held.
final class StagedFile {
  /// The path of the file as the person named it.
  let name: String
  /// What is written; after `replace` another file than before.
  private(set) var file: FileDescriptor
  /// Whether the folder can't be written, so that the file itself is.
  let isInPlace: Bool
  /// Whether a file was there before, which is to stay if this one does not become whole.
  let hasOld: Bool
  /// Whether it has taken its place.
  private(set) var isPublished = false
  private var isSettled = false
  private let paths: CageBroker.Staged
  /// Held for its lock.
  private let old: FileDescriptor?

  /// Opens it for the file at that path, of which nothing is changed yet.
  init(_ path: String) throws(SinkError) {
    name = path
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
    // A run that ended between the two has put its file there.
    old = try StagedFile.lockedTarget(resolved, shown: path)
    hasOld = old != nil
  }

  deinit { leave() }

  /// What is written while the file is not whole, for the person.
  var partialName: String { name + StagedFile.ending }

  /// What a broker has to do for it.
  var duty: CageBroker.Staged? { isInPlace ? nil : paths }

  /// Takes the contents away that are there: the first items have come.
  func begin() throws(SystemError) { try file.empty() }

  /// Puts other contents in place of those that were written, which `write` makes of them.
  func replace(
    _ write: (_ source: FileDescriptor, _ target: FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    let source = file
    var made: FileDescriptor?
    try source.seek(to: 0)
    let path = isPublished ? paths.target : paths.partial
    func fill(_ target: FileDescriptor) throws(SystemError) {
      // Before it is called as the one that is locked.
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

  /// Makes sure that all of it is on the disk.
  func synchronize() throws(SystemError) { try file.synchronize() }

  /// Puts it in its place.
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

  /// Leaves it beside the other file.
  func keepStaged() { isSettled = true }

  /// Nothing was written: what is empty goes, and what an earlier run left stays.
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

  /// The file that is there, locked; it has to be one that may be written, though it is replaced.
  private static func lockedTarget(_ path: String, shown: String) throws(SinkError) -> FileDescriptor? {
    try OutputLock.open(path, O_WRONLY, shown: shown)
  }

  /// The file beside it, with its owner and mode; nil where none can be made.
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
