import CSQLite
import Glibc

/// The place of a database file: its name, and its directory, opened on the checked path.
///
/// SQLite's own files (`-journal`, `-wal`, `-shm`) are in the same directory; the permission for the database covers
/// them.
final class DatabasePlace {
  private let folder: FileDescriptor
  private let name: [UInt8]

  /// The place of a file; a missing one may be created, unless it must exist.
  init(_ path: ResolvedPath, mustExist: Bool) throws(SystemError) {
    guard let name = path.names.last else { throw SystemError(number: EISDIR) }
    self.name = name
    folder = try FileDescriptor.openFolder(of: path)
    switch try folder.status(of: name)?.st_mode {
    case nil: if mustExist { throw SystemError(number: ENOENT) }
    case let mode?:
      switch mode & S_IFMT {
      case S_IFREG: break
      case S_IFLNK: throw SystemError(number: ELOOP)
      case S_IFDIR: throw SystemError(number: EISDIR)
      // Opening a pipe could block forever.
      default: throw SystemError(number: EINVAL)
      }
    }
  }

  /// Opens the database; the place must be kept until it is closed.
  func open(_ use: csqlite_use) throws -> OpaquePointer {
    var connection: OpaquePointer?
    let code = folder.withNumber { folder in
      (name + [0]).withUnsafeBytes {
        csqlite_open(folder, $0.assumingMemoryBound(to: CChar.self).baseAddress, use, &connection)
      }
    }
    guard code == SQLITE_OK, let connection else {
      defer { close(connection) }
      throw DatabaseError(code)
    }
    return connection
  }

  /// Closes a connection opened here.
  func close(_ connection: OpaquePointer?) { folder.withNumber { csqlite_close(connection, $0) } }

  /// The state of a file without pending changes by other programs; nil if there are any.
  func stillness() throws(SystemError) -> Stillness? {
    guard let status = try folder.status(of: name), try folder.status(of: name + Array("-shm".utf8)) == nil,
      (try folder.status(of: name + Array("-wal".utf8))?.st_size ?? 0) == 0
    else { return nil }
    return Stillness(status)
  }

  /// What changes when a file is written.
  struct Stillness: Equatable {
    private let file: ino_t
    private let size: Int
    private let times: [Int]

    init(_ status: stat) {
      file = status.st_ino
      size = Int(status.st_size)
      times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
    }
  }
}
