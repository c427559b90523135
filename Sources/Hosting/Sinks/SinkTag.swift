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

  /// Writes the item with the tag, which takes the place of a member of that name; an item that is no object becomes the
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
    var members = JSONMembers(bytes)
    while let member = members?.next() {
      if isTag(member.key) { return true }
    }
    return false
  }

  private func isTag(_ key: JSONSlice) -> Bool {
    key.kind == .text(isEscaped: false)
      ? key.bytes.elementsEqual(SinkTag.key.utf8) : key.string == SinkTag.key
  }

  /// Writes the members that are not called as the tag is: a key that is there twice is not read in the same way everywhere.
  private func appendOthers(of bytes: UnsafeRawBufferPointer, to file: SinkFile) {
    file.append("{")
    var members = JSONMembers(bytes)
    while let member = members?.next() {
      guard !isTag(member.key) else { continue }
      file.append("\"")
      file.append(member.key.bytes)
      file.append("\":")
      appendValue(member.value, to: file)
      file.append(",")
    }
  }

  private func appendValue(_ value: JSONSlice, to file: SinkFile) {
    guard case .text = value.kind else { return file.append(value.bytes) }
    file.append("\"")
    file.append(value.bytes)
    file.append("\"")
  }
}
