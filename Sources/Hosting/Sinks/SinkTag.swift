import Items

/// The mark of a stream on an item.
struct SinkTag {
  /// The member's key.
  static let key = "_stream"

  /// The stream's name.
  let stream: String
  /// The member, with the closing brace of the object that it is the last of.
  private let ending: Bytes

  init(stream: String) {
    self.stream = stream
    var writer = JSONWriter()
    writer.text(SinkTag.key)
    writer.raw(":")
    writer.text(stream)
    writer.raw("}")
    ending = writer.bytes()
  }

  /// Writes the item with the tag; one that is no object becomes the member `value` of one.
  func append(_ item: Item, to file: SinkFile) {
    item.bytes.withUnsafeBytes { bytes in
      guard bytes.first == UInt8(ascii: "{"), let brace = bytes.lastIndex(of: UInt8(ascii: "}")) else {
        file.append("{\"value\":")
        file.append(bytes)
        return file.append(",")
      }
      let isEmpty = bytes[1..<brace].allSatisfy { $0 == UInt8(ascii: " ") }
      file.append(UnsafeRawBufferPointer(rebasing: bytes[..<brace]))
      if !isEmpty { file.append(",") }
    }
    file.append(ending)
  }
}
