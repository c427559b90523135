import Glibc
import Paging

/// An open file of the system, closed when it is let go.
final class FileDescriptor: Sendable {
  private let number: Int32

  /// The flag `O_PATH`, which glibc shows to those who define `_GNU_SOURCE` only: to open a place and not what is in it.
  static let path: Int32 = 0o10_000_000

  /// Takes over a descriptor that is open.
  private init(number: Int32) { self.number = number }

  /// Takes over a descriptor that another process opened.
  convenience init(taking number: Int32) { self.init(number: number) }

  /// Another descriptor of what the number stands for, which stays open when that is closed.
  init(copying number: Int32) throws(SystemError) {
    self.number = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard self.number >= 0 else { throw .last }
  }

  deinit { close(number) }

  /// Another descriptor of the same file, with the same place in it.
  func copy() throws(SystemError) -> FileDescriptor { try FileDescriptor(copying: number) }

  /// Opens a file; one that is made gets the mode, less the user's mask.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o666
  ) throws(SystemError) -> FileDescriptor {
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL) }
    let number = retrying { Glibc.open(path, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw .last }
    return FileDescriptor(number: Int32(number))
  }

  /// Opens what is at the path itself. Fails with `ELOOP` at a symlink: there was none when the path was resolved.
  static func open(_ path: ResolvedPath, _ flags: Int32) throws(SystemError) -> FileDescriptor {
    if path.isDescriptor { return try open(descriptor: path, flags) }
    guard let name = path.names.last else { return try open("/", flags) }
    return try openFolder(of: path).open(name, flags)
  }

  /// Opens the folder that the last name of the path is in, for nothing but to find names in it.
  static func openFolder(of path: ResolvedPath) throws(SystemError) -> FileDescriptor {
    var folder = try open("/", FileDescriptor.path | O_DIRECTORY)
    for name in path.names.dropLast() { folder = try folder.open(name, FileDescriptor.path | O_DIRECTORY) }
    return folder
  }

  /// A pipe of this process, which is where it was.
  private static func open(descriptor path: ResolvedPath, _ flags: Int32) throws(SystemError)
    -> FileDescriptor
  {
    let file = try open(path.path, flags)
    let kind = try file.status().st_mode & S_IFMT
    guard kind != S_IFREG, kind != S_IFDIR else { throw SystemError(number: ELOOP) }
    return file
  }

  /// Opens the name in this folder; fails with `ELOOP` when it is a symlink.
  func open(_ name: [UInt8], _ flags: Int32, mode: mode_t = 0o666) throws(SystemError) -> FileDescriptor {
    let opened = FileDescriptor.withName(name) { name in
      FileDescriptor.retrying { openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC, mode) }
    }
    guard opened >= 0 else {
      let error = SystemError.last
      // A symlink that should have been a folder is reported as something else.
      guard error.number == ENOTDIR, try isSymlink(name) else { throw error }
      throw SystemError(number: ELOOP)
    }
    let file = FileDescriptor(number: Int32(opened))
    if flags & FileDescriptor.path != 0, try file.status().st_mode & S_IFMT == S_IFLNK {
      throw SystemError(number: ELOOP)
    }
    return file
  }

  /// What the system knows of the name in this folder, be it a symlink; nil when there is nothing of that name.
  func status(of name: [UInt8]) throws(SystemError) -> stat? {
    var status = stat()
    let answer = FileDescriptor.withName(name) { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    if answer == 0 { return status }
    let error = SystemError.last
    guard error.number == ENOENT else { throw error }
    return nil
  }

  /// Puts a file of this folder in the place of another one.
  func rename(_ name: [UInt8], to other: [UInt8]) throws(SystemError) {
    let answer = FileDescriptor.withName(name) { name in
      FileDescriptor.withName(other) { renameat(number, name, number, $0) }
    }
    guard answer == 0 else { throw .last }
  }

  /// Removes a file of this folder, if it is there.
  func remove(_ name: [UInt8]) {
    _ = FileDescriptor.withName(name) { unlinkat(number, $0, 0) }
  }

  /// The names in this folder, up to `limit` bytes of them; nil when there are more.
  func names(upTo limit: Int) throws(SystemError) -> [String]? {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .last }
    guard let folder = fdopendir(copy) else {
      defer { close(copy) }
      throw .last
    }
    defer { closedir(folder) }
    var names: [String] = []
    var room = limit
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw .last }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      // What a text costs beside its bytes.
      room -= name.utf8.count + MemoryLayout<String>.size
      guard room >= 0 else { return nil }
      names.append(name)
    }
  }

  /// Gives the body the descriptor's number, which is good for as long.
  func withNumber<Result>(_ body: (Int32) -> Result) -> Result { body(number) }

  private func isSymlink(_ name: [UInt8]) throws(SystemError) -> Bool {
    try status(of: name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  private static func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (name + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }

  /// What the system knows of the file.
  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return status
  }

  /// Sets the permission bits.
  func setMode(_ mode: mode_t) throws(SystemError) {
    guard fchmod(number, mode) == 0 else { throw .last }
  }

  /// Adopts the owner, where the system allows it, and the permission bits of another file.
  func adopt(ownerAndModeOf other: stat) {
    _ = fchown(number, other.st_uid, other.st_gid)
    _ = fchmod(number, other.st_mode & 0o7777)
  }

  /// Takes all contents away.
  func empty() throws(SystemError) {
    guard ftruncate(number, 0) == 0, lseek(number, 0, SEEK_SET) == 0 else { throw .last }
  }

  /// Goes on reading or writing there.
  func seek(to offset: Int) throws(SystemError) {
    guard lseek(number, offset, SEEK_SET) >= 0 else { throw .last }
  }

  /// Has the next bytes take the place of the last ones.
  func goBack(_ count: Int) throws(SystemError) {
    guard lseek(number, -count, SEEK_CUR) >= 0 else { throw .last }
  }

  /// Waits until all that was written is on the disk; what is no file has none.
  func synchronize() throws(SystemError) {
    guard fsync(number) == 0 || errno == EINVAL else { throw .last }
  }

  /// Reads what there is, up to the room; zero at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = FileDescriptor.retrying { Glibc.read(number, room.baseAddress, room.count) }
      if count >= 0 { return count }
      guard errno == EAGAIN else { throw .last }
      wait(for: Int16(POLLIN))
    }
  }

  /// Reads what there is, up to the room; zero at the end. Waits for a pipe's other side, but not once the flag is set: then it
  /// fails with `ECANCELED`.
  func read(
    into room: UnsafeMutableRawBufferPointer, until stop: StopFlag
  ) throws(SystemError) -> Int {
    while true {
      var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 100) > 0 {
        let count = FileDescriptor.retrying { Glibc.read(number, room.baseAddress, room.count) }
        if count >= 0 { return count }
        guard errno == EAGAIN else { throw .last }
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

  /// Writes all of it to a pipe or a terminal, in parts that never block once there is room; fails with `ECANCELED` when the
  /// flag is set and nobody has taken anything for a second.
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
      // What POSIX calls `PIPE_BUF`: that much fits whole where a pipe says that it can be written.
      let part = min(bytes.count - done, 4096)
      let count = FileDescriptor.retrying { Glibc.write(number, bytes.baseAddress! + done, part) }
      guard count >= 0 || errno == EAGAIN else { throw .last }
      done += max(0, count)
    }
  }

  /// Writes all of it; a pipe's other side is waited for until the flag is set.
  func writeAll(_ bytes: UnsafeRawBufferPointer, until stop: StopFlag) throws(SystemError) {
    try status().st_mode & S_IFMT == S_IFREG ? write(bytes) : write(bytes, stop)
  }

  /// A pipe or terminal that another program made non-blocking can refuse for a while.
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

/// What the system answered to a call that failed.
struct SystemError: Error, Equatable {
  let number: Int32

  /// The error of the call that was made last on this thread.
  static var last: SystemError { SystemError(number: errno) }

  /// As `no space left on device`.
  var reason: String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension HostFailure {
  /// As `can't read notes.txt: no such file or directory`, for an action like `read`.
  init(_ error: SystemError, _ action: String, _ path: String) {
    let isMissing = error.number == ENOENT || error.number == ENOTDIR
    self.init(
      isMissing ? .notFound : .io, "can't \(action) \(path.escapingControls): \(error.reason)")
  }
}
