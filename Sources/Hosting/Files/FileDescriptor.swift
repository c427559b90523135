import CCage
import Glibc
import Paging

/// An open file descriptor, closed on release.
final class FileDescriptor: Sendable {
  private let number: Int32

  /// The flag `O_PATH`, which glibc defines only with `_GNU_SOURCE`: opens a location, not its contents.
  static let path: Int32 = 0o10_000_000

  /// Adopts an open descriptor.
  private init(number: Int32) { self.number = number }

  /// Adopts a descriptor opened by another process.
  convenience init(taking number: Int32) { self.init(number: number) }

  /// A duplicate of the descriptor, which stays open when that is closed.
  init(copying number: Int32) throws(SystemError) {
    self.number = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard self.number >= 0 else { throw .last }
  }

  deinit { close(number) }

  /// A duplicate that shares the file position.
  func copy() throws(SystemError) -> FileDescriptor { try FileDescriptor(copying: number) }

  /// A duplicate's number, for who closes it.
  func release() throws(SystemError) -> Int32 {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .last }
    return copy
  }

  /// Opens a file; a created one gets the mode, minus the umask.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o666
  ) throws(SystemError) -> FileDescriptor {
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL) }
    let number = retrying { Glibc.open(path, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw .last }
    return FileDescriptor(number: Int32(number))
  }

  /// Opens exactly this path. Fails with `ELOOP` at a symlink: there was none when the path was resolved.
  static func open(_ path: ResolvedPath, _ flags: Int32) throws(SystemError) -> FileDescriptor {
    if path.isDescriptor { return try open(descriptor: path, flags) }
    guard let name = path.names.last else { return try open("/", flags) }
    return try openFolder(of: path).open(name, flags)
  }

  /// Opens the parent directory of the path, only to look up names in it.
  static func openFolder(of path: ResolvedPath) throws(SystemError) -> FileDescriptor {
    var folder = try open("/", FileDescriptor.path | O_DIRECTORY)
    for name in path.names.dropLast() { folder = try folder.open(name, FileDescriptor.path | O_DIRECTORY) }
    return folder
  }

  /// A pipe of this process.
  private static func open(descriptor path: ResolvedPath, _ flags: Int32) throws(SystemError)
    -> FileDescriptor
  {
    let file = try open(path.path, flags)
    let kind = try file.status().st_mode & S_IFMT
    guard kind != S_IFREG, kind != S_IFDIR else { throw SystemError(number: ELOOP) }
    return file
  }

  /// Opens the name in this directory; fails with `ELOOP` if it is a symlink.
  func open(_ name: [UInt8], _ flags: Int32, mode: mode_t = 0o666) throws(SystemError) -> FileDescriptor {
    let opened = FileDescriptor.withName(name) { name in
      FileDescriptor.retrying { openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC, mode) }
    }
    guard opened >= 0 else {
      let error = SystemError.last
      // A symlink in place of a directory is reported differently.
      guard error.number == ENOTDIR, try isSymlink(name) else { throw error }
      throw SystemError(number: ELOOP)
    }
    let file = FileDescriptor(number: Int32(opened))
    if flags & FileDescriptor.path != 0, try file.status().st_mode & S_IFMT == S_IFLNK {
      throw SystemError(number: ELOOP)
    }
    return file
  }

  /// The status of the name in this directory, without following symlinks; nil if it does not exist.
  func status(of name: [UInt8]) throws(SystemError) -> stat? {
    var status = stat()
    let answer = FileDescriptor.withName(name) { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    if answer == 0 { return status }
    let error = SystemError.last
    guard error.number == ENOENT else { throw error }
    return nil
  }

  /// Renames a file of this directory over another one.
  func rename(_ name: [UInt8], to other: [UInt8]) throws(SystemError) {
    let answer = FileDescriptor.withName(name) { name in
      FileDescriptor.withName(other) { renameat(number, name, number, $0) }
    }
    guard answer == 0 else { throw .last }
  }

  /// Removes a file of this directory, if it exists.
  func remove(_ name: [UInt8]) {
    _ = FileDescriptor.withName(name) { unlinkat(number, $0, 0) }
  }

  /// The names in this directory, as bytes, up to `limit` of them; nil if there are more.
  func names(upTo limit: Int) throws(SystemError) -> [[UInt8]]? {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .last }
    guard let folder = fdopendir(copy) else {
      defer { close(copy) }
      throw .last
    }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    var room = limit
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw .last }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name != [UInt8](".".utf8), name != [UInt8]("..".utf8) else { continue }
      // The overhead of a string.
      room -= name.count + MemoryLayout<String>.size
      guard room >= 0 else { return nil }
      names.append(name)
    }
  }

  /// Calls the body with the descriptor's number, valid during the call.
  func withNumber<Result>(_ body: (Int32) -> Result) -> Result { body(number) }

  private func isSymlink(_ name: [UInt8]) throws(SystemError) -> Bool {
    try status(of: name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  private static func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (name + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }

  /// The status of the file.
  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return status
  }

  /// Sets the permission bits.
  func setMode(_ mode: mode_t) throws(SystemError) {
    guard fchmod(number, mode) == 0 else { throw .last }
  }

  /// Adopts the owner, if the system allows it, and the permission bits of another file.
  func adopt(ownerAndModeOf other: stat) {
    _ = fchown(number, other.st_uid, other.st_gid)
    _ = fchmod(number, other.st_mode & 0o7777)
  }

  /// Truncates the file.
  func empty() throws(SystemError) {
    guard ftruncate(number, 0) == 0, lseek(number, 0, SEEK_SET) == 0 else { throw .last }
  }

  /// Truncates the file to a length, and moves to its end.
  func cut(at length: Int) throws(SystemError) {
    guard ftruncate(number, length) == 0, lseek(number, length, SEEK_SET) >= 0 else { throw .last }
  }

  /// Copies the first bytes of another file here.
  func copy(from other: FileDescriptor, count: Int) throws(SystemError) {
    guard lseek(other.number, 0, SEEK_SET) >= 0 else { throw .last }
    var left = count
    while left > 0 {
      let copied = FileDescriptor.retrying { sendfile(number, other.number, nil, left) }
      guard copied > 0 else { throw copied < 0 ? .last : SystemError(number: EIO) }
      left -= copied
    }
  }

  /// Stands for the last bytes before a length: SHA-256 of up to 1024 of them, in hexadecimal.
  func digest(at length: Int) throws(SystemError) -> String {
    let count = min(length, 1024)
    var bytes = [UInt8](repeating: 0, count: count)
    let read = FileDescriptor.retrying { pread(number, &bytes, count, length - count) }
    guard read == count else { throw read < 0 ? .last : SystemError(number: EIO) }
    return sha256(bytes).hexadecimal
  }

  /// Moves the file position.
  func seek(to offset: Int) throws(SystemError) {
    guard lseek(number, offset, SEEK_SET) >= 0 else { throw .last }
  }

  /// Moves the position back, to overwrite the last bytes.
  func goBack(_ count: Int) throws(SystemError) {
    guard lseek(number, -count, SEEK_CUR) >= 0 else { throw .last }
  }

  /// Waits until everything written is on disk; no-op unless it is a file.
  func synchronize() throws(SystemError) {
    guard fsync(number) == 0 || errno == EINVAL else { throw .last }
  }

  /// Has the disk begin with what is written, without a wait; what goes wrong, `synchronize` will say.
  func startSaving() { ccage_start_saving(number) }

  /// Reads what is available, up to the room; zero at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = FileDescriptor.retrying { Glibc.read(number, room.baseAddress, room.count) }
      if count >= 0 { return count }
      guard errno == EAGAIN else { throw .last }
      wait(for: Int16(POLLIN))
    }
  }

  /// Reads what is available, up to the room; zero at the end. Waits for the other end of a pipe until the flag is set:
  /// then it fails with `ECANCELED`. One that nobody opens to write in that time fails, too.
  func read(
    into room: UnsafeMutableRawBufferPointer, until stop: StopFlag, patience: Duration
  ) throws(SystemError) -> Int {
    let start = ContinuousClock.now
    while true {
      var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 100) > 0 {
        let count = FileDescriptor.retrying { Glibc.read(number, room.baseAddress, room.count) }
        if count >= 0 { return count }
        guard errno == EAGAIN else { throw .last }
      } else if start.duration(to: .now) >= patience {
        // A pipe that nobody has opened to write is at its end.
        let count = FileDescriptor.retrying { Glibc.read(number, room.baseAddress, room.count) }
        if count > 0 { return count }
        if count == 0 { throw SystemError(number: SystemError.unwritten) }
      }
      if stop.isSet { throw SystemError(number: ECANCELED) }
    }
  }

  /// Writes all of it.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = FileDescriptor.retrying {
        Glibc.write(number, bytes.baseAddress! + done, bytes.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        wait(for: Int16(POLLOUT))
      } else {
        throw .last
      }
    }
  }

  /// Writes all of it to a pipe or a terminal, in pieces that don't block once there is room; fails with `ECANCELED` if
  /// the flag is set and nothing was read for a second.
  func write(_ bytes: UnsafeRawBufferPointer, _ hurried: StopFlag) throws(SystemError) {
    var (done, waited) = (0, 0)
    while done < bytes.count {
      var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      if poll(&entry, 1, 100) <= 0 {
        waited = hurried.isSet ? waited + 1 : 0
        if waited > 10 { throw SystemError(number: ECANCELED) }
        continue
      }
      waited = 0
      // `PIPE_BUF`: that much is written atomically when a pipe polls writable.
      let part = min(bytes.count - done, 4096)
      let count = TerminalTurn.take {
        FileDescriptor.retrying { Glibc.write(number, bytes.baseAddress! + done, part) }
      }
      guard count >= 0 || errno == EAGAIN else { throw .last }
      done += max(0, count)
    }
  }

  /// Writes all of it; waits for the other end of a pipe until the flag is set.
  func writeAll(_ bytes: UnsafeRawBufferPointer, until stop: StopFlag) throws(SystemError) {
    try status().st_mode & S_IFMT == S_IFREG ? write(bytes) : write(bytes, stop)
  }

  /// A pipe or terminal made non-blocking by another program can refuse temporarily.
  private func wait(for events: Int16) {
    var entry = pollfd(fd: number, events: events, revents: 0)
    _ = poll(&entry, 1, -1)
  }

  private static func retrying<Count: SignedInteger>(_ call: () -> Count) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return Int(count) }
    }
  }
}

/// The error of a failed system call.
struct SystemError: Error, Equatable {
  let number: Int32

  /// The last error of this thread.
  static var last: SystemError { SystemError(number: errno) }

  /// The number of a pipe that nobody has opened to write; the system has none.
  static let unwritten: Int32 = -1

  /// The number of a file that would be replaced while standard output or standard error goes there; the system has none.
  static let ofStream: Int32 = -2

  /// Such as `no space left on device`.
  var reason: String {
    if number == SystemError.unwritten { return "it is a pipe, and nobody has opened it to write" }
    if number == SystemError.ofStream { return "standard output or standard error goes there" }
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension HostFailure {
  /// Such as `can't read notes.txt: no such file or directory`, for an action like `read`.
  init(_ error: SystemError, _ action: String, _ path: String) {
    let isMissing = error.number == ENOENT || error.number == ENOTDIR
    self.init(
      isMissing ? .notFound : .io, "can't \(action) \(path.escapingControls): \(error.reason)")
  }
}
