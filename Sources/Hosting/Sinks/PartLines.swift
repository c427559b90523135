import Items
import JSON
import Paging

/// Writes the lines of a part: items as they are, with what a sink has to know of them beside. `PartRows` reads them.
///
/// Where no member of an item is its id, a last member has it; what is gone from the source is a line with its id alone.
final class PartLines: SinkStream {
  /// The member with the id of an item that has none itself.
  static let id = "_lookahead_id"
  /// The member with an item that is no object, and has an id beside.
  static let item = "_lookahead_item"
  /// The only member of a line of what is gone.
  static let removed = "_lookahead_removed"

  let file: SinkFile
  private let rows: SinkJSON
  private let identity: ItemDeclaration.Identity

  /// Nil unless the configuration is that of a part.
  init?(_ file: SinkFile, _ configuration: SinkConfiguration) {
    guard let identity = configuration.partIdentity else { return nil }
    self.file = file
    rows = SinkJSON(file, isArray: false)
    self.identity = identity
  }

  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError) {
    try write(delivery.items, isNumbered: delivery.isNumbered)
    for operation in delivery.operations {
      if let item = operation.item { try write([item], isNumbered: delivery.isNumbered) }
      if identity != .none, case .remove(let id, _) = operation {
        try write(id, after: "{\"\(PartLines.removed)\":")
      }
    }
  }

  func goOn(with layout: String?) -> Bool { rows.goOn(with: layout) }

  func finish() {}

  private func write(_ items: [Item], isNumbered: Bool) throws(SinkError) {
    guard identity == .made, !isNumbered else { return try rows.write(Delivery(items: items), tag: nil) }
    for item in items {
      let isEmpty: Bool? = item.bytes.withUnsafeBytes { bytes in
        guard bytes.first == UInt8(ascii: "{"), let brace = bytes.lastIndex(of: UInt8(ascii: "}")) else {
          return nil
        }
        file.append(UnsafeRawBufferPointer(rebasing: bytes[..<brace]))
        return bytes[1..<brace].allSatisfy { $0 == UInt8(ascii: " ") }
      }
      if let isEmpty {
        try write(item.id, after: "\(isEmpty ? "" : ",")\"\(PartLines.id)\":")
      } else {
        try write(item.id, after: "{\"\(PartLines.id)\":", before: item)
      }
    }
  }

  /// A member with an id, and the end of the line: the item, if it is none to which the member could be added.
  private func write(_ id: ItemID, after start: String, before item: Item? = nil) throws(SinkError) {
    var writer = JSONWriter()
    writer.raw(text: start)
    switch id {
    case .integer(let number): writer.integer(number)
    case .text(let text): writer.text(text)
    }
    if let item {
      writer.raw(text: ",\"\(PartLines.item)\":")
      writer.raw(item.bytes)
    }
    writer.raw("}\n")
    file.append(writer.bytes())
    try file.flushParts()
  }
}

extension ItemDeclaration.Identity {
  /// The member of a part's line that has the id; nil is none.
  var field: String? {
    switch self {
    case .member(let name): name
    case .made: PartLines.id
    case .none: nil
    }
  }
}
