import Glibc
import Items
import JSON
import Paging

/// The lines of a part, read many at a time, as what `PartLines` was given, without what the part says is gone.
struct PartRows {
  private let file: FileDescriptor
  private let path: String
  private let idField: String?
  private let gone: Set<ItemID>
  /// Bytes that are yet to be read.
  private var left: Int
  private var rest: [UInt8] = []
  private var isAtEnd = false
  private var count = 0

  /// Opens a file, to read these bytes of it; `idField` is the member of a row that has its id, and `gone` are ids whose rows are left
  /// out.
  init(
    _ path: String, idField: String?, _ bytes: Range<Int> = 0..<Int.max, without gone: Set<ItemID> = []
  ) throws(SinkError) {
    self.path = path
    self.idField = idField
    self.gone = gone
    left = bytes.count
    do throws(SystemError) {
      file = try FileDescriptor.open(path, O_RDONLY)
      if bytes.lowerBound > 0 { try file.seek(to: bytes.lowerBound) }
    } catch {
      throw SinkError(error, "read", path: path)
    }
  }

  /// The next rows, as a delivery; nil at the end.
  mutating func next(stream: String) throws(SinkError) -> Delivery? {
    try nextLines().map { lines throws(SinkError) in try delivery(lines, stream) }
  }

  /// The ids that a part has brought, or an earlier one of its partition, and says last that they are gone.
  static func gone(in path: String, idField: String?) throws(SinkError) -> Set<ItemID> {
    guard idField != nil else { return [] }
    var rows = try PartRows(path, idField: idField)
    var reader = JSONReader()
    var gone: Set<ItemID> = []
    while let lines = try rows.nextLines() {
      for line in lines.split(separator: UInt8(ascii: "\n")) where !gone.isEmpty || line.starts(with: removal)
      {
        switch line.withUnsafeBytes({ PartRows.line($0, idField, &reader) }) {
        case .removed(let id): gone.insert(id)
        case .item(let item): gone.remove(item.id)
        case .counted, nil: break
        }
      }
    }
    return gone
  }

  private static let removal = Array("{\"\(PartLines.removed)\"".utf8)

  /// Lines to the end of the last one that is read; nil at the end.
  private mutating func nextLines() throws(SinkError) -> ArraySlice<UInt8>? {
    while true {
      if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Array(rest[(end + 1)...]) }
        return rest[...end]
      }
      guard !isAtEnd else {
        guard rest.isEmpty else { throw damaged("its last row has no end") }
        return nil
      }
      try fill()
    }
  }

  private mutating func fill() throws(SinkError) {
    var room = [UInt8](repeating: 0, count: min(left, 1 << 18))
    do throws(SystemError) {
      let result = room.withUnsafeMutableBytes { bytes -> Result<Int, SystemError> in
        do throws(SystemError) { return .success(try file.read(into: bytes)) } catch {
          return .failure(error)
        }
      }
      let count = try result.get()
      left -= count
      isAtEnd = count == 0 || left == 0
      rest += room.prefix(count)
    } catch {
      throw SinkError(error, "read", path: path)
    }
  }

  private mutating func delivery(_ lines: ArraySlice<UInt8>, _ stream: String) throws(SinkError) -> Delivery {
    var reader = JSONReader()
    var delivery = Delivery(stream: stream)
    delivery.isNumbered = idField == nil
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      count += 1
      switch line.withUnsafeBytes({ PartRows.line($0, idField, &reader) }) {
      case .item(let item): if !gone.contains(item.id) { delivery.items.append(item) }
      case .removed: break
      case .counted(let bytes): delivery.items.append(Item(id: .integer(Int64(count)), bytes: bytes))
      case nil: throw damaged("row \(count) has no \(idField ?? "object")")
      }
    }
    return delivery
  }

  private enum Line {
    case item(Item)
    case removed(ItemID)
    case counted(Bytes)
  }

  /// What a line says; nil if it is damaged.
  private static func line(
    _ line: UnsafeRawBufferPointer, _ idField: String?, _ reader: inout JSONReader
  ) -> Line? {
    guard let idField else { return .counted(Bytes(copying: line)) }
    let members = reader.readIfValid(line).map { Array($0.members) } ?? []
    if members.count == 1, members[0].key.bytes.isEqual(to: PartLines.removed) {
      return ItemID(members[0].value).map { .removed($0) }
    }
    // Of two members with one key the last counts.
    guard let member = members.last(where: { $0.key.string == idField }), let id = ItemID(member.value)
    else {
      return nil
    }
    guard idField == PartLines.id else { return .item(Item(id: id, bytes: Bytes(copying: line))) }
    if members.count == 2, members[1].key.bytes.isEqual(to: PartLines.item) {
      return .item(Item(id: id, bytes: Bytes(copying: members[1].value.written)))
    }
    // The item is what comes before the comma before its id.
    guard let start = line.baseAddress, let end = member.key.written.baseAddress else { return nil }
    var bytes = Array(line[..<max(1, end - start - 1)])
    bytes.append(UInt8(ascii: "}"))
    return .item(Item(id: id, bytes: bytes.withUnsafeBytes { Bytes(copying: $0) }))
  }

  /// Whether the first item of a part has no id, so that all of them are only counted.
  static func lack(_ idField: String, in path: String) throws(SinkError) -> Bool {
    var rows = try PartRows(path, idField: idField)
    while !rows.rest.contains(UInt8(ascii: "\n")), !rows.isAtEnd { try rows.fill() }
    var reader = JSONReader()
    let lines = rows.rest.prefix { $0 != UInt8(ascii: "\n") }
    return !lines.isEmpty && lines.withUnsafeBytes { line($0, idField, &reader) } == nil
  }

  private func damaged(_ what: String) -> SinkError {
    SinkError(HostFailure(.io, "\(path.escapingControls) is damaged: \(what)"))
  }
}

extension ItemID {
  /// The id that a member of an item is; nil if it can't be one.
  init?(_ value: JSONValue) {
    switch value.kind {
    case .integer: self = value.integer.map { .integer($0) } ?? .text(value.string)
    case .real:
      guard let number = value.exactInteger else { return nil }
      self = .integer(number)
    case .text: self = .text(value.string)
    case .null, .boolean, .array, .object: return nil
    }
  }
}
