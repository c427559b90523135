import Items
import JSON
import Paging

/// Items as they are: one per line, or as one array with an item per line.
final class SinkJSON: SinkStream {
  let file: SinkFile
  private let isArray: Bool
  private var isEmpty = true

  init(_ file: SinkFile, isArray: Bool) {
    self.file = file
    self.isArray = isArray
  }

  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError) {
    if !isArray && tag == nil { return try writeLines(delivery.broughtItems) }
    for item in delivery.broughtItems {
      if isArray { file.append(isEmpty ? "[\n" : ",\n") }
      isEmpty = false
      if let tag { tag.append(item, to: file) } else { file.append(item.bytes) }
      if !isArray { file.append("\n") }
      try file.flushParts()
    }
  }

  /// Items of a page mostly lie behind each other in memory, one on a line.
  private func writeLines(_ items: [Item]) throws(SinkError) {
    var place = 0
    while place < items.count {
      isEmpty = false
      let (lines, end) = Bytes.run(of: items, from: place, by: UInt8(ascii: "\n"))
      try write(line: lines)
      place = end
    }
  }

  private func write(line: Bytes) throws(SinkError) {
    file.append(line)
    file.append("\n")
    try file.flushParts()
  }

  func goOn(with layout: String?) -> Bool {
    isEmpty = file.offset == 0
    return true
  }

  func finish() { file.append(closing) }

  var closing: StaticString { isArray ? isEmpty ? "[]\n" : "\n]\n" : "" }
}

/// The tag of a stream on an item.
final class SinkTag {
  /// The member's key.
  static let key = "_stream"

  /// The stream's name.
  let stream: String
  private var reader = JSONReader()
  /// The member, with the closing brace of its object.
  private let ending: Bytes

  init(stream: String) {
    self.stream = stream
    var writer = JSONWriter()
    writer.member(SinkTag.key, stream)
    writer.raw("}")
    ending = writer.bytes()
  }

  /// Writes the item with the tag, which replaces a member of that name; an item that is not an object becomes the
  /// member `value` of one.
  func append(_ item: Item, to file: SinkFile) {
    item.bytes.withUnsafeBytes { bytes in
      guard bytes.first == UInt8(ascii: "{"), let brace = bytes.lastIndex(of: UInt8(ascii: "}")) else {
        file.append("{\"value\":")
        file.append(bytes)
        return file.append(",")
      }
      if hasTag(bytes) { return appendOthers(of: bytes, to: file) }
      let isEmpty = bytes[1..<brace].allSatisfy { $0 == UInt8(ascii: " ") }
      file.append(UnsafeRawBufferPointer(rebasing: bytes[..<brace]))
      if !isEmpty { file.append(",") }
    }
    file.append(ending)
  }

  private func hasTag(_ bytes: UnsafeRawBufferPointer) -> Bool {
    reader.readIfValid(bytes)?.members.contains { isTag($0.key) } ?? false
  }

  private func isTag(_ key: JSONValue) -> Bool {
    key.kind == .text(isEscaped: false)
      ? key.bytes.elementsEqual(SinkTag.key.utf8) : key.string == SinkTag.key
  }

  /// Writes the members not named like the tag: duplicate keys are not read consistently everywhere.
  private func appendOthers(of bytes: UnsafeRawBufferPointer, to file: SinkFile) {
    file.append("{")
    guard let members = reader.readIfValid(bytes)?.members else { return }
    for member in members {
      guard !isTag(member.key) else { continue }
      file.append(member.key.written)
      file.append(":")
      file.append(member.value.written)
      file.append(",")
    }
  }
}
