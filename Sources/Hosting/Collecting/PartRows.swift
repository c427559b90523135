import Glibc
import Items
import JSON
import Paging

/// The rows of a part, read many at a time.
struct PartRows {
  private let file: FileDescriptor
  private let path: String
  private let idField: String?
  private var rest: [UInt8] = []
  private var isAtEnd = false
  private var count = 0

  /// Opens a file; `idField` is the member of a row that has its id.
  init(_ path: String, idField: String?) throws(SystemError) {
    self.path = path
    self.idField = idField
    file = try FileDescriptor.open(path, O_RDONLY)
  }

  /// The next rows, as a delivery; nil at the end.
  mutating func next(stream: String) throws(SinkError) -> Delivery? {
    while true {
      if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
        let lines = rest[...end]
        defer { rest = Array(rest[(end + 1)...]) }
        return try delivery(lines, stream)
      }
      guard !isAtEnd else {
        guard rest.isEmpty else { throw damaged("its last row has no end") }
        return nil
      }
      try fill()
    }
  }

  private mutating func fill() throws(SinkError) {
    var room = [UInt8](repeating: 0, count: 1 << 18)
    do throws(SystemError) {
      let result = room.withUnsafeMutableBytes { bytes -> Result<Int, SystemError> in
        do throws(SystemError) { return .success(try file.read(into: bytes)) } catch {
          return .failure(error)
        }
      }
      let count = try result.get()
      isAtEnd = count == 0
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
      var id = ItemID.integer(Int64(count))
      if let idField {
        guard let own = line.withUnsafeBytes({ self.id(named: idField, in: $0, &reader) }) else {
          throw damaged("row \(count) has no \(idField)")
        }
        id = own
      }
      delivery.items.append(Item(id: id, bytes: line.withUnsafeBytes { Bytes(copying: $0) }))
    }
    return delivery
  }

  private func id(named name: String, in line: UnsafeRawBufferPointer, _ reader: inout JSONReader) -> ItemID?
  {
    guard let value = reader.readIfValid(line)?.members.first(where: { $0.key.string == name })?.value else {
      return nil
    }
    if let number = value.integer { return .integer(number) }
    if case .text = value.kind { return .text(value.string) }
    return nil
  }

  private func damaged(_ what: String) -> SinkError {
    SinkError(HostFailure(.io, "\(path.escapingControls) is damaged: \(what)"))
  }
}
