import Glibc
import Items
import JSON
import Paging

/// Reads the list in a JSON file page by page, its elements as they stand there; a file whose name ends in `.gz` or `.zst` is unpacked.
///
/// It knows where each element ends, that commas stand between them, and that all that is open around the list is closed at the
/// end; whether an element is JSON is for who parses it. Without members to go down, the file is the list, or values one after
/// another, as in NDJSON.
final class ListReader {
  private let file: UnpackedFile
  private let descriptor: FileDescriptor
  private let stop: StopFlag
  private let at: [String]
  private let limit: Int
  private let size: Int64
  private let changed: Int64
  private var isList = true

  /// What was read and not given yet, from the second byte on.
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 1
  private var position = 1
  /// From here on nothing is dropped.
  private var kept: Int?
  /// Bytes of the file before those.
  private var dropped: Int64 = 0
  /// What there is room for at once: a page like the one before, and little of the next, which has to be moved.
  private var window = ListReader.leastWindow

  /// Reads the list below the members in `at`, from a place or its start on; elements have up to `limit` bytes.
  init(
    _ descriptor: FileDescriptor, path: String, at: [String], from place: FilePlace?, limit: Int,
    until stop: StopFlag
  ) throws(HostFailure) {
    do throws(SystemError) {
      let status = try descriptor.status()
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw SystemError(number: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ESPIPE)
      }
      (size, changed) = ListReader.identity(status)
      file = try UnpackedFile(descriptor, path: path, until: stop)
    } catch {
      throw HostFailure(error, "read", path)
    }
    (self.descriptor, self.at, self.limit, self.stop) = (descriptor, at, limit, stop)
    capacity = 1 + window + Bytes.wantedPadding
    base = ListReader.room(capacity)
    if at.isEmpty || place == nil { try findList() }
    if let place { try go(to: place) }
  }

  deinit { base.deallocate() }

  /// Where the next element begins.
  var place: FilePlace { FilePlace(offset: dropped + Int64(position - 1), size: size, changed: changed) }

  /// The next elements, up to `limit` of them; fewer if they are long. The file must be as it was.
  func next(_ limit: Int) throws(HostFailure) -> FilePage {
    try checkIsUnchanged()
    let most = min(
      max(limit.multipliedReportingOverflow(by: 1024).partialValue, ListReader.leastWindow),
      ListReader.mostWindow)
    try skipSpace()
    let isFirst = place.offset == firstOffset
    if isFirst, try peek() == (isList ? UInt8(ascii: "]") : nil) {
      guard isList || isNamedSequence else {
        throw failure("expected a list (only a file named .ndjson or .jsonl may be empty)", nil)
      }
      if isList { position += 1 }
      try finish()
      return FilePage(elements: Bytes("[]"), start: place.offset, next: nil)
    }
    let start = place.offset
    kept = position
    var found = 0, length = 0, isMore = true
    repeat {
      try passValue()
      found += 1
      length = position - kept!
      isMore = try passSeparator(after: length)
    } while isMore && found < limit && length < most
    window = min(max(length + length / 8, ListReader.leastWindow), ListReader.mostWindow)
    if !isMore, isFirst, found == 1 { try checkIsNoDocument() }
    let elements = give(length)
    if !isMore { try finish() }
    return FilePage(elements: elements, start: start, next: isMore ? place : nil)
  }

  private static let leastWindow = 16 << 10
  private static let mostWindow = 1 << 20

  /// Where the first element may begin.
  private var firstOffset: Int64 = 0

  private static func room(_ capacity: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
  }

  private static func identity(_ status: stat) -> (size: Int64, changed: Int64) {
    let time = status.st_mtim
    return (Int64(status.st_size), Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// Passes a comma, or what stands between values of a file without a list; false at the end of the list.
  private func passSeparator(after length: Int) throws(HostFailure) -> Bool {
    let end = place.offset
    try skipSpace()
    let byte = try peek()
    guard isList else {
      if byte != nil, place.offset == end { throw failure("expected a line break between two values", byte) }
      base.storeBytes(of: UInt8(ascii: ","), toByteOffset: kept! + length, as: UInt8.self)
      return byte != nil
    }
    switch byte {
    case UInt8(ascii: ","): position += 1
    case UInt8(ascii: "]"):
      position += 1
      return false
    default: throw failure("expected , or ] behind an element of the list", byte)
    }
    try skipSpace()
    return true
  }

  /// The kept bytes, so many, as a list; what is behind them moves to other memory.
  private func give(_ length: Int) -> Bytes {
    let start = kept! - 1, end = kept! + length
    base.storeBytes(of: UInt8(ascii: "["), toByteOffset: start, as: UInt8.self)
    // Behind an element there is a separator that was passed, or the end of the file.
    let rest = count - position
    let wanted = 1 + max(rest + ListReader.leastWindow, window) + Bytes.wantedPadding
    let next = ListReader.room(wanted)
    (next + 1).copyMemory(from: base + position, byteCount: rest)
    base.storeBytes(of: UInt8(ascii: "]"), toByteOffset: end, as: UInt8.self)
    let given = Bytes(adopting: base, count: end + 1, capacity: capacity) { $0.deallocate() }[start..<end + 1]
    dropped += Int64(position - 1)
    kept = nil
    (base, capacity, count, position) = (next, wanted, 1 + rest, 1)
    return given
  }

  /// Whether the file's name says that it has values one after another.
  private var isNamedSequence: Bool {
    let name = Packing.unpackedName(file.path)
    return name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl")
  }

  /// A lone object is hardly a list of one, unless the file's name says so: somebody forgot where in it the list is.
  private func checkIsNoDocument() throws(HostFailure) {
    guard !isList, !isNamedSequence, base.load(fromByteOffset: kept!, as: UInt8.self) == UInt8(ascii: "{")
    else { return }
    throw HostFailure(
      .parse,
      "\(file.path.escapingControls) is one object: say which of its members is the list, as at = \"items\" (a file of one line is read as a list if it is named .ndjson or .jsonl)"
    )
  }

  /// Goes to the list's first element.
  private func findList() throws(HostFailure) {
    if try peek() == 0xEF, try refill(to: 3), bytes(3).elementsEqual([0xEF, 0xBB, 0xBF]) { position += 3 }
    for name in at { try enter(name) }
    try skipSpace()
    let byte = try peek()
    isList = byte == UInt8(ascii: "[") && !(at.isEmpty && isNamedSequence)
    guard isList || at.isEmpty else { throw failure("expected the list \(shownPath)", byte) }
    if isList { position += 1 }
    try skipSpace()
    firstOffset = place.offset
  }

  /// Goes to the value of a member of the object that begins here.
  private func enter(_ name: String) throws(HostFailure) {
    try skipSpace()
    let byte = try peek()
    guard byte == UInt8(ascii: "{") else {
      throw failure("expected an object with the member \(ListReader.quoted(name))", byte)
    }
    position += 1
    var others: [String] = []
    try skipSpace()
    if try peek() == UInt8(ascii: "}") { throw missing(name, others) }
    while true {
      let key = try passKey()
      if key == name { return }
      if others.count < 10 { others.append(key) }
      try passValue()
      try skipSpace()
      let byte = try peek()
      if byte == UInt8(ascii: "}") { throw missing(name, others) }
      guard byte == UInt8(ascii: ",") else { throw failure("expected , or } behind a member", byte) }
      position += 1
    }
  }

  /// Passes all that is behind the list, up to the end of the file.
  private func finish() throws(HostFailure) {
    for name in at.reversed() {
      while true {
        try skipSpace()
        let byte = try peek()
        guard byte == UInt8(ascii: "}") || byte == UInt8(ascii: ",") else {
          throw failure("expected , or } behind the member \(ListReader.quoted(name))", byte)
        }
        position += 1
        if byte == UInt8(ascii: "}") { break }
        if try passKey() == name { throw failure("the member \(ListReader.quoted(name)) is there twice") }
        try passValue()
      }
    }
    try skipSpace()
    if let byte = try peek() { throw failure("expected the end of the file", byte) }
  }

  /// Passes a member's name and the colon.
  private func passKey() throws(HostFailure) -> String {
    try skipSpace()
    let byte = try peek()
    guard byte == UInt8(ascii: "\"") else { throw failure("expected the name of a member", byte) }
    kept = position
    try passValue()
    let text = UnsafeRawBufferPointer(start: base + kept!, count: position - kept!)
    let name = JSONTree(text)?.text
    kept = nil
    guard let name else { throw failure("expected the name of a member, in UTF-8") }
    try skipSpace()
    let colon = try peek()
    guard colon == UInt8(ascii: ":") else {
      throw failure("expected : behind the name \(ListReader.quoted(name))", colon)
    }
    position += 1
    try skipSpace()
    return name
  }

  /// Passes a value: up to its last bracket or quote, or to what can't be in a number or a word.
  private func passValue() throws(HostFailure) {
    var scan = ValueScan(), length = 0
    repeat {
      let start = position
      position = scan.run(UnsafeRawBufferPointer(start: base, count: count), from: start)
      length += position - start
      if kept != nil, length > limit { throw tooLarge }
      if scan.isOver { break }
    } while try refill()
    guard scan.isWhole else { throw failure("the file ends in the middle", nil) }
    if scan.isEmpty { throw failure("expected a value", try peek()) }
  }

  private func skipSpace() throws(HostFailure) {
    while let byte = try peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// The next byte; nil at the end of the file.
  private func peek() throws(HostFailure) -> UInt8? {
    if position == count, try !refill() { return nil }
    return base.load(fromByteOffset: position, as: UInt8.self)
  }

  private func bytes(_ wanted: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + position, count: min(wanted, count - position))
  }

  /// Whether so many bytes are there.
  private func refill(to wanted: Int) throws(HostFailure) -> Bool {
    while count - position < wanted { if try !refill() { return false } }
    return true
  }

  /// Reads more behind what is there, of which what was passed and is not kept is dropped; false at the end of the file.
  private func refill() throws(HostFailure) -> Bool {
    if stop.isSet { throw HostFailure(.cancelled, "reading \(file.path.escapingControls) was given up") }
    let first = kept ?? position, rest = count - first
    if 1 + rest + ListReader.leastWindow + Bytes.wantedPadding > capacity {
      let wanted = 1 + rest + max(window, rest) + Bytes.wantedPadding
      let grown = ListReader.room(wanted)
      (grown + 1).copyMemory(from: base + first, byteCount: rest)
      base.deallocate()
      (base, capacity) = (grown, wanted)
    } else if first > 1 {
      memmove(base + 1, base + first, rest)
    }
    dropped += Int64(first - 1)
    position -= first - 1
    if kept != nil { kept = 1 }
    count = 1 + rest
    let room = UnsafeMutableRawBufferPointer(
      start: base + count, count: capacity - count - Bytes.wantedPadding)
    let read = try file.read(into: room)
    count += read
    return read > 0
  }

  /// Goes to a place that an earlier page told, of this file as it was then.
  private func go(to place: FilePlace) throws(HostFailure) {
    // A script may have made it up.
    let isInFile = file.isPacked ? place.offset >= dropped : 0...size ~= place.offset
    guard place.size == size, place.changed == changed, isInFile else { throw changedFailure(since: place) }
    let now = dropped + Int64(count - 1)
    if !file.isPacked, place.offset > now || place.offset < dropped {
      do throws(SystemError) { try descriptor.seek(to: Int(place.offset)) } catch {
        throw HostFailure(error, "read", file.path)
      }
      (dropped, count, position) = (place.offset, 1, 1)
      return
    }
    while dropped + Int64(count - 1) < place.offset {
      position = count
      guard try refill() else { throw failure("the file ends before the place where it was left off", nil) }
    }
    position = Int(place.offset - dropped) + 1
  }

  /// The file must be as it was when it was opened.
  func checkIsUnchanged() throws(HostFailure) {
    do throws(SystemError) {
      let now = ListReader.identity(try descriptor.status())
      guard now != (size, changed) else { return }
    } catch {
      throw HostFailure(error, "read", file.path)
    }
    throw changedFailure(since: place)
  }

  /// A position of a list that has expired, so that a run that goes on reads it from its start.
  private func changedFailure(since place: FilePlace) -> HostFailure {
    HostFailure(
      .io,
      "\(file.path.escapingControls) has changed since a part of it was read (it had \(Int(place.size).grouped) bytes), so that its place is lost: read it from its start",
      status: 410)
  }

  private static func quoted(_ name: String) -> String { "'\(name.escapingControls)'" }

  private var shownPath: String { at.isEmpty ? "the list" : ListReader.quoted(at.joined(separator: ".")) }

  private func failure(_ message: String, _ byte: UInt8?) -> HostFailure {
    let got =
      switch byte {
      case nil: "the end of the file"
      case let byte? where byte > 0x20 && byte < 0x7F: String(UnicodeScalar(byte))
      case let byte?: "the byte \(byte)"
      }
    return failure("\(message), got \(got)")
  }

  private func failure(_ message: String) -> HostFailure {
    HostFailure(.parse, "\(file.path.escapingControls), byte \(Int(place.offset + 1).grouped): \(message)")
  }

  private var tooLarge: HostFailure {
    HostFailure(
      .tooLarge,
      "an element of \(shownPath) in \(file.path.escapingControls) is over the limit of \(limit.grouped) bytes (--max-body raises it)"
    )
  }

  private func missing(_ name: String, _ others: [String]) -> HostFailure {
    let known =
      others.isEmpty ? "no members" : "the members \(others.map(ListReader.quoted).joined(separator: ", "))"
    return failure("there is no member \(ListReader.quoted(name)): the object has \(known)")
  }
}
