import Glibc
import Items
import Paging

/// A DuckDB file whose making was cut short: DuckDB writes three headers in place, and opens no file that lacks one of them. A
/// process that was killed meanwhile leaves such a file, and so does who makes an empty one, to be filled.
struct DuckDBMaking {
  private let file: FileDescriptor

  /// Writes what such a file lacks; false if there is none, or a process has it open: that one goes on. It is over before DuckDB
  /// opens the file: to close it later would take DuckDB's lock away.
  static func complete(_ path: String, _ driver: ADBCDriver) throws -> Bool {
    guard let file = try? FileDescriptor.open(path, O_RDWR) else { return false }
    let making = DuckDBMaking(file: file)
    guard making.isCutShort, making.isLocked, making.isCutShort else { return false }
    try making.write(from: path + ".lookahead-making", driver)
    return true
  }

  /// Whether the file ends behind none, one or two headers, and is none of another kind.
  private var isCutShort: Bool {
    guard let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG else { return false }
    let size = Int(status.st_size)
    guard size > 0 else { return true }
    guard size < 3 * Self.header, size % Self.header == 0 else { return false }
    var found = [UInt8](repeating: 0, count: Self.name.count)
    return file.withNumber { pread($0, &found, found.count, 8) } == found.count && found == Self.name
  }

  /// Takes the lock that DuckDB holds on a file, until this one is closed.
  private var isLocked: Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    return file.withNumber { fcntl($0, F_SETLK, &lock) } == 0
  }

  /// Writes what the file lacks, which a twin of it has. Others who are about to open it find it whole, or locked.
  private func write(from twin: String, _ driver: ADBCDriver) throws {
    unlink(twin)
    defer { unlink(twin) }
    _ = try ADBCConnection(ADBCDatabase(driver, options: [("path", twin)]))
    let contents = try WholeFile.read(twin)
    try file.seek(to: 0)
    try contents.withUnsafeBytes { bytes throws(SystemError) in try file.write(bytes) }
    try file.synchronize()
  }

  private static let header = 4096
  private static let name = Array("DUCK".utf8)
}
