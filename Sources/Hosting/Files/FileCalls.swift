import Glibc
import Items
public import Paging

/// Carries out the host calls on files, one after the other on a thread of its own.
public final class FileCalls: Sendable {
  private let worker = Worker(name: "files")
  private let files: ScriptFiles

  /// Calls that may touch what the permissions grant.
  public init(permissions: Permissions) { files = ScriptFiles(permissions: permissions) }

  /// Has the calls from here on touch what these permissions grant.
  public func permit(_ permissions: Permissions) {
    worker.submit { [files] in files.permissions = permissions }
  }

  /// Carries out a call on a file; `reply` is called once, on the thread for files.
  public func perform(_ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void) {
    worker.submit { [files] in reply(files.perform(call)) }
  }

  /// Returns when all calls are answered and every file is closed.
  public func finish() {
    worker.submit { [files] in files.closeAll() }
    worker.finish()
  }

  /// Whether the handle is one of a file (or else of a database), for `HostCall.close`.
  public static func isFile(_ handle: Int) -> Bool { !handle.isMultiple(of: 2) }
}

/// The files that scripts hold open, and the calls on them; used on the thread for files only.
private final class ScriptFiles: @unchecked Sendable {
  var permissions: Permissions
  private var readers = HandleTable<LineReader>(first: 1)

  init(permissions: Permissions) { self.permissions = permissions }

  func perform(_ call: HostCall) -> HostReply {
    do throws(HostFailure) {
      return try answer(call)
    } catch {
      return .failed(error)
    }
  }

  func closeAll() { readers.removeAll { _ in true } }

  private func answer(_ call: HostCall) throws(HostFailure) -> HostReply {
    switch call {
    case .readFile(let path):
      try allow(permissions.checkRead(path, for: "fs.read"))
      return .bytes(try WholeFile.read(path))
    case .writeFile(let path, let contents):
      try allow(permissions.checkWrite(path, for: "fs.write"))
      try WholeFile.replace(path, with: contents)
      return .done
    case .fileExists(let path):
      try allow(permissions.checkRead(path, for: "fs.exists"))
      return .flag(try exists(path))
    case .listFiles(let path):
      try allow(permissions.checkRead(path, for: "fs.list"))
      return .names(try names(in: path))
    case .openLines(let path):
      try allow(permissions.checkRead(path, for: "fs.lines"))
      return .handle(readers.insert(try LineReader(path: path)))
    case .nextLines(let handle, let limit):
      let (lines, isEnd) = try readers.value(handle).next(limit)
      return .lines(lines, isEnd: isEnd)
    case .close(let handle):
      _ = readers.remove(handle)
      return .done
    case .http, .sleep, .emit, .openDatabase, .query, .openRows, .nextRows, .execute, .environment:
      preconditionFailure("not a call on a file: \(call)")
    }
  }

  private func allow(_ refusal: HostFailure?) throws(HostFailure) {
    if let refusal { throw refusal }
  }

  private func exists(_ path: String) throws(HostFailure) -> Bool {
    var status = stat()
    guard stat(path, &status) != 0 else { return true }
    let error = SystemError.last
    if error.number == ENOENT || error.number == ENOTDIR { return false }
    throw HostFailure(error, "look for", path)
  }

  private func names(in path: String) throws(HostFailure) -> [String] {
    guard let folder = opendir(path) else { throw HostFailure(.last, "list", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw HostFailure(.last, "list", path) }
        return names.sorted()
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }
}
