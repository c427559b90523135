public import Items

/// Bookmarks: scalars of JSON, of which the greater one is later.
extension Bytes {
  /// Whether one bookmark is greater than another, as JSON: both are numbers, or texts.
  public func isLater(than other: Bytes) -> Bool {
    switch ((try? JSONTree(string)), (try? JSONTree(other.string))) {
    case (.number(let left)?, .number(let right)?):
      // Nanoseconds have more digits than a double.
      if let left = Int64(left), let right = Int64(right) {
        left > right
      } else {
        Double(left) ?? 0 > Double(right) ?? 0
      }
    case (.text(let left)?, .text(let right)?): left.isLaterBookmark(than: right)
    default: false
    }
  }

  /// The member of an object in JSON that has this name, as JSON; nil if it has none, or null. The last of several wins.
  public func member(_ name: String) -> Bytes? {
    withUnsafeBytes { bytes in
      var reader = JSONReader()
      let members = reader.readIfValid(bytes)?.members.filter { $0.key.string == name } ?? []
      guard let member = members.last?.value, member.kind != .null else { return nil }
      guard case .text = member.kind else { return Bytes(copying: member.bytes) }
      return Bytes("\"\(String(decoding: member.bytes, as: UTF8.self))\"")
    }
  }
}

extension String {
  /// Whether it is greater, as a bookmark: a later time, where both are times, and else byte by byte.
  public func isLaterBookmark(than other: String) -> Bool {
    if let time = TimeText(self), let otherTime = TimeText(other) { return otherTime < time }
    return other.utf8.lexicographicallyPrecedes(utf8)
  }
}
