import Glibc
import Items
import Paging

/// Reads and replaces files in one go.
enum WholeFile {
  static func read(_ path: String) throws(HostFailure) -> Bytes {
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, O_RDONLY)
      let size = max(0, Int(try file.status().st_size))
      var buffer = ByteBuffer(capacity: size + 1 + Bytes.wantedPadding)
      var room = size + 1
      while try buffer.append(upTo: room, { room throws(SystemError) in try file.read(into: room) }) > 0 {
        room = max(size + 1 - buffer.count, buffer.count, 4096)
      }
      return buffer.bytes()
    } catch {
      throw HostFailure(error, "read", path)
    }
  }

  /// Puts the contents in place of the file. Who looks, even after a kill, finds the old contents or the new ones;
  /// through a symlink, its target is replaced; a device is written to.
  static func replace(_ path: String, with contents: Bytes) throws(HostFailure) {
    do throws(SystemError) {
      guard let target = ResolvedPath(path)?.path else { throw SystemError(number: EINVAL) }
      try replace(resolved: target) { file throws(SystemError) in
        try contents.withUnsafeBytes { bytes throws(SystemError) in try file.write(bytes) }
      }
    } catch {
      throw HostFailure(error, "write", path)
    }
  }

  /// As above for a path without symlinks, with what `write` writes.
  static func replace(
    resolved path: String, _ write: (FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists && status.st_mode & S_IFMT != S_IFREG {
      return try write(try FileDescriptor.open(path, O_WRONLY))
    }
    let (temporary, file) = try makeSibling(of: path)
    do throws(SystemError) {
      if exists { try file.setMode(status.st_mode & 0o7777) }
      try write(file)
      guard rename(temporary, path) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// A new file beside the other one, under a name that no one has.
  private static func makeSibling(
    of path: String
  ) throws(SystemError) -> (path: String, file: FileDescriptor) {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    var attempt = 0
    while true {
      let sibling = "\(folder)/.lookahead-\(getpid())-\(attempt)"
      do throws(SystemError) {
        return (sibling, try FileDescriptor.open(sibling, O_WRONLY | O_CREAT | O_EXCL))
      } catch {
        guard error.number == EEXIST else { throw error }
        attempt += 1
      }
    }
  }
}
