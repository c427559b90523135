import Glibc
import Items
import Paging

/// A text output written in large parts.
final class SinkFile {
  /// Bytes of text appended so far; the offset of the next one.
  private(set) var offset = 0
  /// Whether it is a file whose contents can be read back and replaced.
  var isRegular: Bool { staged.map { !$0.isInPlace } ?? false }
  /// The file written next to the one it replaces; nil for what is written directly.
  let staged: StagedFile?
  /// Whether anything was written.
  private(set) var isBegun = false
  /// Whether what was appended is written, with what completes the text.
  var isWhole: Bool { wholeOffset == offset }
  private var wholeOffset: Int?
  /// Whether a write failed, so that the file may have less than what was appended.
  private(set) var hasFailed = false
  /// The path as the user gave it.
  var name: String { path }
  /// Called with how much counts of a file that is about to replace this one, and its digest; if it fails, nothing is replaced.
  var willReplace: (_ counting: TextState.Extent, _ digest: String) throws(SinkError) -> Void = { _, _ in }
  private let path: String
  private var descriptor: OutputDescriptor
  /// Makes text safe for a terminal.
  private let harmless: (String) -> String
  private var buffer = ByteBuffer(capacity: SinkFile.partSize * 2)
  /// What the file has in place of the text, if it is packed.
  private var packed: PackedText?
  /// Bytes that the disk was not asked to begin with.
  private var unsaved = 0

  /// Opens a pipe or a device; `-` is standard output. While `hurried` is set, a pipe's reader that stalls for a second
  /// is abandoned. On a terminal items can't send control sequences; `harmless` returns what is written instead.
  init(
    _ path: String, _ packing: Packing?, _ hurried: StopFlag, harmless: @escaping (String) -> String
  ) throws(SinkError) {
    self.path = path
    self.harmless = harmless
    packed = packing.map(PackedText.init)
    staged = nil
    do throws(SinkError) {
      descriptor = try OutputDescriptor(path, hurried: hurried)
    } catch {
      throw SinkFile.explain(error, path)
    }
    guard let packing, descriptor.kind == .terminal else { return }
    throw SinkError(
      HostFailure(
        .invalid,
        "--compress \(packing.rawValue): a terminal shows no packed text; send it to a file "
          + "(-o FILE.ndjson.\(packing.ending)) or to another program"))
  }

  /// Writes to an open file, truncated first.
  init(_ staged: StagedFile, _ packing: Packing?) throws(SinkError) {
    path = staged.name
    packed = packing.map(PackedText.init)
    harmless = { $0 }
    self.staged = staged
    descriptor = try OutputDescriptor(staged.file, name: path)
  }

  func append(_ bytes: Bytes) {
    buffer.append(bytes)
    offset += bytes.count
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(bytes)
    offset += bytes.count
  }

  func append(_ text: StaticString) {
    buffer.append(text)
    offset += text.utf8CodeUnitCount
  }

  func append(_ byte: UInt8) {
    buffer.append(byte)
    offset += 1
  }

  /// Writes what was appended once it fills a part; to be called after each item.
  func flushParts() throws(SinkError) {
    // Published files get whole deliveries.
    guard buffer.count >= SinkFile.partSize, staged?.isPublished != true else { return }
    guard let packed else { return try flush() }
    pack(into: packed)
    try write(packed, "")
  }

  /// All that was appended counts, once it is written.
  func mark() { packed?.mark(at: offset) }

  /// How much of the file counts at an offset that was marked, with everything written.
  func extent(_ text: TextState.Extent) -> TextState.Extent {
    var extent = text
    extent.packed = packed?.place(at: text.length)
    precondition(packed == nil || extent.packed != nil, "\(path) has no mark at \(text.length)")
    return extent
  }

  /// Writes what was appended, and what ends a packed text.
  func complete() throws(SinkError) {
    guard let packed else { return try flush() }
    pack(into: packed)
    packed.end()
    try write(packed, "")
  }

  private func pack(into packed: PackedText) {
    packed.pack(buffer.contents)
    buffer.removeAll()
  }

  /// Writes what was packed; `closing` is a member of its own, which the next ones overwrite.
  private func write(_ packed: PackedText, _ closing: StaticString) throws(SinkError) {
    let closing = closing.utf8CodeUnitCount > 0 ? PackedText.member(packed.packing, of: closing) : .empty
    guard packed.output.count + closing.count > 0 else { return }
    let start = packed.written
    // How much of a failed write got through is unknown, so nothing is written twice.
    defer { packed.clear() }
    do throws(SinkError) {
      try begin()
      try descriptor.write(packed.output.contents)
      startSaving(packed.output.count)
      try closing.withUnsafeBytes { bytes throws(SinkError) in try descriptor.write(bytes) }
      try descriptor.goBack(closing.count)
    } catch {
      hasFailed = true
      closing.withUnsafeBytes { takeBack(to: start, $0) }
      throw error
    }
  }

  /// Writes what was appended, followed by what completes the text; the next bytes overwrite that.
  func flush(closing: StaticString) throws(SinkError) {
    if let packed {
      pack(into: packed)
      packed.end()
      try write(packed, closing)
    } else {
      try flushText(closing)
    }
    wholeOffset = offset
  }

  /// Writes what was appended.
  func flush() throws(SinkError) {
    guard let packed else { return try flushText("") }
    pack(into: packed)
    packed.flush()
    try write(packed, "")
  }

  private func flushText(_ closing: StaticString) throws(SinkError) {
    guard buffer.count > 0 || closing.utf8CodeUnitCount > 0 else { return }
    // How much of a failed write got through is unknown, so nothing is written twice.
    defer { buffer.removeAll() }
    let start = offset - buffer.count
    do throws(SinkError) {
      try begin()
      buffer.append(closing)
      guard descriptor.kind == .terminal else {
        try descriptor.write(buffer.contents)
        startSaving(buffer.count)
        return try descriptor.goBack(closing.utf8CodeUnitCount)
      }
      try descriptor.write(harmless(String(decoding: buffer.contents, as: UTF8.self)))
    } catch {
      hasFailed = true
      takeBack(
        to: start, UnsafeRawBufferPointer(start: closing.utf8Start, count: closing.utf8CodeUnitCount))
      throw error
    }
  }

  /// Has the disk begin with what was written now and then, so that less is left where the end waits for it.
  private func startSaving(_ count: Int) {
    unsaved += count
    guard unsaved >= SinkFile.savedTogether else { return }
    unsaved = 0
    staged?.file.startSaving()
  }

  /// What others see stays a whole text: half a delivery goes, and what completed the text is written once more.
  private func takeBack(to start: Int, _ closing: UnsafeRawBufferPointer) {
    guard let staged, staged.isPublished, start > 0 else { return }
    do throws(SystemError) {
      try staged.file.seek(to: start)
      try staged.file.write(closing)
      try staged.file.cut(at: start + closing.count)
    } catch {
      // The disk takes nothing at all: what completed the text is still there, unless a part went over it.
    }
  }

  /// Removes the output of an earlier run.
  func begin() throws(SinkError) {
    guard !isBegun else { return }
    isBegun = true
    try checked { () throws(SystemError) in try staged?.begin() }
  }

  /// The form in which the file was left, of those that it may have; nil if it is another file.
  func find(
    _ forms: [(extent: TextState.Extent, digest: String)]
  ) -> (TextState.Extent, StagedFile.Form)? {
    for (extent, digest) in forms {
      guard (extent.packed == nil) == (packed == nil) else { continue }
      if let form = staged?.form(of: extent.fileLength, digest) { return (extent, form) }
    }
    return nil
  }

  /// Goes on with the first bytes of a file that was left.
  func goOn(at extent: TextState.Extent, with form: StagedFile.Form) throws(SinkError) {
    try checked { () throws(SystemError) in try staged?.goOn(at: extent.fileLength, with: form) }
    offset = extent.length
    if let place = extent.packed { packed?.goOn(at: offset, from: place) }
    isBegun = true
  }

  /// Stands for the last bytes of the file before that length, which are written.
  func digest(at length: Int) throws(SinkError) -> String {
    guard let staged else { return "" }
    do throws(SystemError) { return try staged.file.digest(at: length) } catch {
      throw SinkError(error, path: path)
    }
  }

  /// Moves the file into place, with everything written.
  func publish() throws(SinkError) { try checked { () throws(SystemError) in try staged?.publish() } }

  /// Ensures that everything written is on disk.
  func synchronize() throws(SinkError) {
    try checked { () throws(SystemError) in try staged?.synchronize() }
  }

  private func checked(_ body: () throws(SystemError) -> Void) throws(SinkError) {
    do throws(SystemError) { try body() } catch { throw SinkError(error, path: path) }
  }

  /// Replaces the file's contents by what `write` makes of them; it returns their length, and how much of it counts. If that
  /// fails, the old ones stay.
  func replaceContents(
    _ write: (_ source: TextSource, _ target: TextTarget) throws(SystemError) -> (length: Int, counting: Int)
  ) throws(SinkError) {
    guard isRegular, let staged else { preconditionFailure("\(path) can't be replaced") }
    try flush()
    var refusal: SinkError?
    do throws(SystemError) {
      try staged.replace { source, file throws(SystemError) in
        let target = TextTarget(file, packed?.packing)
        let (length, counting) = try write(TextSource(source, packed?.packing), target)
        try target.flush()
        var extent = TextState.Extent(length: counting)
        extent.packed = target.packed?.place(at: counting)
        let digest = try file.digest(at: extent.fileLength)
        do throws(SinkError) { try willReplace(extent, digest) } catch {
          refusal = error
          throw SystemError(number: ECANCELED)
        }
        offset = length
        packed = target.packed
      }
    } catch {
      throw refusal ?? SinkError(error, path: path)
    }
    descriptor = try OutputDescriptor(staged.file, name: path)
  }

  /// Nothing of it counts any more.
  func empty() throws(SinkError) {
    try checked { () throws(SystemError) in try staged?.begin() }
    buffer.removeAll()
    (offset, wholeOffset, packed) = (0, nil, packed.map { PackedText($0.packing) })
  }

  /// Names a missing directory, because the file is not what is wrong.
  static func explain(_ error: SinkError, _ path: String) -> SinkError {
    guard error.failure.code == .notFound, let slash = path.lastIndex(of: "/") else { return error }
    let (file, folder) = (path.escapingControls, String(path[..<slash]).escapingControls)
    return SinkError(
      HostFailure(.notFound, "can't write \(file): the folder \(folder) does not exist"))
  }

  /// A text never overwrites a database: the user forgot the format, or named the script's input.
  static func spareDatabase(_ path: String) throws(SinkError) {
    guard isDatabase(path) else { return }
    throw SinkError(
      HostFailure(
        .invalid,
        "\(path.escapingControls) is a database, and text would take its place: name another file, "
          + "or write into it with --format sqlite"))
  }

  /// Whether there is an SQLite database at the path.
  static func isDatabase(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = try? FileDescriptor.open(path, O_RDONLY)
    else { return false }
    let mark: StaticString = "SQLite format 3"
    return withUnsafeTemporaryAllocation(byteCount: mark.utf8CodeUnitCount, alignment: 1) { room in
      let count = (try? file.read(into: room)) ?? 0
      return count == room.count
        && room.elementsEqual(UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount))
    }
  }

  private static let partSize = 256 << 10
  private static let savedTogether = 8 << 20
}
