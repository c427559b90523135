import Glibc
import Items
import JSON
public import Paging

/// Performs the host calls on files, one after another on its own thread.
public final class FileCalls: Sendable {
  private let worker = Worker(name: "files")
  private let files: ScriptFiles
  private let stop = StopFlag()

  /// Calls may access what the permissions grant, charged to the account; so long they wait for somebody to open a pipe to write.
  public init(
    permissions: Permissions, account: ScriptAccount = ScriptAccount(), patience: Duration = .seconds(10)
  ) {
    files = ScriptFiles(permissions: permissions, account: account, stop: stop, patience: patience)
  }

  /// Applies these permissions to future calls.
  public func permit(_ permissions: Permissions) {
    worker.submit { [files] in files.permissions = permissions }
  }

  /// Performs a file call; `reply` is called once, on the file thread.
  public func perform(_ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void) {
    perform(call, lent: nil, reply: reply)
  }

  /// The same for a call that may read the path that is lent, whatever the permissions say.
  func perform(_ call: HostCall, lent: LentPath?, reply: @escaping @Sendable (HostReply) -> Void) {
    worker.submit { [files] in
      files.lent = lent
      reply(files.perform(call))
      files.readAhead()
    }
  }

  /// Ends the wait for a pipe's other end, and returns when all calls are answered and every file is closed.
  public func finish() {
    stop.set()
    worker.submit { [files] in files.closeAll() }
    worker.finish()
  }

  /// Whether the handle is one of a file (not a database), for `HostCall.close`.
  public static func isFile(_ handle: Int) -> Bool { !handle.isMultiple(of: 2) }
}

/// The files held open by scripts, and the calls on them; used only on the file thread.
private final class ScriptFiles: @unchecked Sendable {
  var permissions: Permissions
  /// What the present call may read in addition.
  var lent: LentPath?
  private let limit: Int
  private let memory: Int
  private let stop: StopFlag
  private let patience: Duration
  private let meter: ProcessorMeter
  private var readers = HandleTable<LineReader>(first: 1, step: 2)
  private var lists = OpenLists()
  private let indexer = JSONIndexer()

  init(permissions: Permissions, account: ScriptAccount, stop: StopFlag, patience: Duration) {
    self.permissions = permissions
    self.patience = patience
    self.stop = stop
    limit = account.answerLimit
    memory = account.memoryLimit
    meter = ProcessorMeter(account)
  }

  func perform(_ call: HostCall) -> HostReply {
    do throws(HostFailure) {
      try meter.begin()
      let reply = try answer(call)
      guard meter.stop() else { throw .processorTime("the work on files") }
      return reply
    } catch {
      return .failed(error)
    }
  }

  func closeAll() {
    readers.removeAll { _ in true }
    lists = OpenLists()
  }

  private func answer(_ call: HostCall) throws(HostFailure) -> HostReply {
    switch call {
    case .readFile(let path):
      let contents = try reach(path, .read, "fs.read", "read") { target throws(SystemError) in
        try WholeFile.read(try open(target, reading), upTo: limit, until: stop, patience: patience)
      }
      guard let contents else {
        throw HostFailure(
          .tooLarge,
          "\(path.escapingControls) is over the limit of \(limit.grouped) bytes: read it with fs.lines (--max-body raises the limit)"
        )
      }
      return .bytes(contents)
    case .writeFile(let path, let contents):
      try reach(path, .write, "fs.write", "write") { target throws(SystemError) in
        try WholeFile.replace(target, until: stop) { file throws(SystemError) in
          try contents.withUnsafeBytes { bytes throws(SystemError) in try file.writeAll(bytes, until: stop) }
        }
      }
      return .done
    case .fileExists(let path):
      return .flag(try reach(path, .read, "fs.exists", "look for", exists))
    case .listFiles(let path):
      let names = try reach(path, .read, "fs.list", "list") { target throws(SystemError) in
        try open(target, O_RDONLY | O_DIRECTORY | O_NONBLOCK).names(upTo: limit)
      }
      guard let names else {
        throw HostFailure(
          .tooLarge,
          "the names in \(path.escapingControls) are over the limit of \(limit.grouped) bytes (--max-body raises it)"
        )
      }
      return .names(try names.map { name throws(HostFailure) in try text(name, in: path) }.sorted())
    case .openLines(let path, let keepsEnds):
      try readers.checkRoom()
      return .handle(
        readers.insert(
          try reach(path, .read, "fs.lines", "read") { target throws(SystemError) in
            let file = try open(target, reading)
            return try LineReader(
              file, path: path, keepsEnds: keepsEnds, limit: limit, until: stop, patience: patience)
          }))
    case .nextLines(let handle, let limit):
      let (lines, isEnd) = try nextLines(of: readers.value(handle), limit)
      return .lines(lines, isEnd: isEnd)
    case .listPage(let path, let at, let place, let count):
      return .page(try listPage(path, at, from: place, count))
    case .close(let handle):
      _ = readers.remove(handle)
      return .done
    case .http, .sleep, .idle, .emit, .begin, .beginStep, .openDatabase, .connectDatabase, .query, .openRows,
      .nextRows, .execute,
      .environment, .read, .request:
      preconditionFailure("not a call on a file: \(call)")
    }
  }

  private func listPage(
    _ path: String, _ at: [String], from place: FilePlace?, _ count: Int
  ) throws(HostFailure) -> FilePage {
    let (target, file) = try reach(path, .read, "json.page", "read") { target throws(SystemError) in
      (target, lists.has(target, at, place, count) ? nil : try open(target, reading))
    }
    let entry = file == nil ? lists.take(target, at, place, count) : nil
    let reader: ListReader, pace: OpenLists.Pace
    if let file {
      pace = lists.giveUp(target, at, place) ? .uneven : .unknown
      reader = try ListReader(file, path: path, at: at, from: place, limit: limit, until: stop)
    } else {
      (reader, pace) = (entry!.reader, entry!.pace(with: count))
    }
    let page: FilePage
    if let ahead = entry?.ahead {
      try reader.checkIsUnchanged()
      page = try ahead.get()
    } else {
      page = try nextPage(of: reader, count)
    }
    if let next = page.next { lists.keep(reader, of: target, at, next, count, pace) }
    return page
  }

  /// The next elements, parsed on their way.
  private func nextPage(of reader: ListReader, _ count: Int) throws(HostFailure) -> FilePage {
    var page = try reader.next(count)
    page.elements = indexer.index(page.elements.text)
    return page
  }

  /// Reads what is expected to be asked for next, while the script works with what it has.
  func readAhead() {
    lists.readAhead { reader, count throws(HostFailure) in
      try meter.begin()
      let page = try nextPage(of: reader, count)
      guard meter.stop() else { throw .processorTime("the work on files") }
      return page
    }
  }

  /// Many files with long lines hold much memory, each within its limit.
  private func nextLines(
    of reader: LineReader, _ limit: Int
  ) throws(HostFailure) -> (lines: [Bytes], isEnd: Bool) {
    guard readers.total(\.held) <= memory else {
      throw HostFailure(
        .tooLarge, "the lines of the files that are open are over the limit of \(memory.grouped) bytes")
    }
    return try reader.next(limit)
  }

  /// The name of a file as a text: what would stand for other bytes would stand for those of another file too.
  private func text(_ name: [UInt8], in path: String) throws(HostFailure) -> String {
    if let text = String(validating: name, as: UTF8.self) { return text }
    let bytes = name.map { $0 < 0x80 ? String(Unicode.Scalar($0)) : "\\x\([$0].hexadecimal)" }.joined()
    throw HostFailure(
      .parse,
      "fs.list: \(path.escapingControls) has a name that is no UTF-8 (\(bytes.escapingControls)): give the file another one"
    )
  }

  /// Non-blocking, since a wait for a pipe's other end could not be interrupted.
  private var reading: Int32 { O_RDONLY | O_NONBLOCK }

  private func reach<Result>(
    _ path: String, _ use: FileUse, _ call: String, _ action: String,
    _ body: (ResolvedPath) throws(SystemError) -> Result
  ) throws(HostFailure) -> Result {
    try permissions.reach(path, to: use, for: call, action, beside: lent?.path, body)
  }

  /// A path that is lent is opened outside the cage.
  private func open(_ target: ResolvedPath, _ flags: Int32) throws(SystemError) -> FileDescriptor {
    if let lent, lent.path == target { return try lent.open() }
    return try FileDescriptor.open(target, flags)
  }

  private func exists(_ target: ResolvedPath) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try FileDescriptor.open(target, FileDescriptor.path)
      return true
    } catch {
      guard error.number == ENOENT || error.number == ENOTDIR else { throw error }
      return false
    }
  }
}
