import Glibc
import Items
import Paging

/// Reads and replaces whole files.
enum WholeFile {
  /// Reads one of the host's own files.
  static func read(_ path: String) throws(HostFailure) -> Bytes {
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, O_RDONLY)
      guard let contents = try read(file, upTo: 1 << 40, until: StopFlag()) else {
        throw SystemError(number: EFBIG)
      }
      return contents
    } catch {
      throw HostFailure(error, "read", path)
    }
  }

  /// The contents of the file; nil if they exceed the limit. The reported size is only a hint: it may be a pipe or a
  /// device, or grow meanwhile.
  static func read(
    _ file: FileDescriptor, upTo limit: Int, until stop: StopFlag, patience: Duration = .seconds(10)
  ) throws(SystemError) -> Bytes? {
    let status = try file.status()
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    let size = isRegular ? max(0, Int(status.st_size)) : 0
    guard size <= limit else { return nil }
    var buffer = ByteBuffer(capacity: size + 1 + Bytes.wantedPadding)
    var room = size + 1
    while true {
      let count = try buffer.append(upTo: room) { room throws(SystemError) in
        isRegular ? try file.read(into: room) : try file.read(into: room, until: stop, patience: patience)
      }
      if count == 0 { return buffer.bytes() }
      guard buffer.count <= limit else { return nil }
      room = min(max(size + 1 - buffer.count, buffer.count, 4096), limit - buffer.count + 1)
    }
  }

  /// Replaces the file atomically by what `write` writes: readers find the old or the new contents, even after a kill.
  /// Through a symlink, its target is replaced; a device is written to. One to which a standard stream goes stays.
  static func replace(
    resolved path: String, _ write: (FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    guard let path = ResolvedPath(path) else { throw SystemError(number: EINVAL) }
    try replace(path, until: StopFlag(), write)
  }

  /// The same for a resolved path; waits for the reader of a pipe until the flag is set.
  static func replace(
    _ path: ResolvedPath, until stop: StopFlag, _ write: (FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    guard let name = path.names.last else { throw SystemError(number: EISDIR) }
    if path.isDescriptor { return try write(try FileDescriptor.open(path, O_WRONLY)) }
    let folder = try FileDescriptor.openFolder(of: path)
    let status = try folder.status(of: name)
    if let status, StandardStream(behindWhich: status) != nil {
      throw SystemError(number: SystemError.ofStream)
    }
    if let kind = status.map({ $0.st_mode & S_IFMT }), kind != S_IFREG {
      return try write(try openWriter(path, isPipe: kind == S_IFIFO, until: stop))
    }
    let (temporary, file) = try makeSibling(in: folder)
    do throws(SystemError) {
      if let status { try file.setMode(status.st_mode & 0o7777) }
      try write(file)
      try folder.rename(temporary, to: name)
    } catch {
      folder.remove(temporary)
      throw error
    }
  }

  /// Renames a file over another one of its directory, durably.
  static func rename(_ path: String, to other: String) throws(SystemError) {
    guard Glibc.rename(path, other) == 0 else { throw .last }
    synchronizeFolder(of: other)
  }

  /// Makes sure that a file is found at its path, as far as the system lets us.
  static func synchronizeFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    try? FileDescriptor.open(folder, O_RDONLY | O_DIRECTORY).synchronize()
  }

  private static func openWriter(
    _ path: ResolvedPath, isPipe: Bool, until stop: StopFlag
  ) throws(SystemError) -> FileDescriptor {
    while true {
      do throws(SystemError) {
        return try FileDescriptor.open(path, O_WRONLY | O_NONBLOCK)
      } catch {
        guard isPipe, error.number == ENXIO, !stop.isSet else { throw error }
        _ = poll(nil, 0, 50)
      }
    }
  }

  /// A new file in the directory, with a unique name.
  private static func makeSibling(
    in folder: FileDescriptor
  ) throws(SystemError) -> (name: [UInt8], file: FileDescriptor) {
    var attempt = 0
    while true {
      let name = Array(".lookahead-\(getpid())-\(attempt)".utf8)
      do throws(SystemError) {
        return (name, try folder.open(name, O_RDWR | O_CREAT | O_EXCL))
      } catch {
        guard error.number == EEXIST else { throw error }
        attempt += 1
      }
    }
  }
}
