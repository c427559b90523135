import CLuaJSON

/// The items of a list that a script made, in their encoded form, one to a line in one stretch of memory.
public struct EncodedItems {
  /// What the source says an item is called.
  public enum ID: Equatable {
    case none
    case integer(Int64)
    case text(String)
    /// A value that cannot be an id.
    case other
  }

  /// Where one item is in the stretch.
  public struct Entry {
    public let range: Range<Int>
    public let id: ID
  }

  public let entries: [Entry]
  /// The stretch: `count` bytes in a block of `capacity`, to be freed with `free`; the caller owns it.
  public let base: UnsafeMutableRawPointer
  public let count: Int
  public let capacity: Int

  /// Frees a stretch.
  @Sendable public static func free(_ base: UnsafeMutableRawPointer) {
    var buffer = cjson_buffer()
    buffer.bytes = base.assumingMemoryBound(to: CChar.self)
    cjson_buffer_free(&buffer)
  }
}

extension LuaStack {
  /// Encodes the elements of the list at `index`; nil for an empty one. Rows that no script touched are copied as they are.
  ///
  /// `idField` names the member that holds the id; without it the ids are the elements of the list at `idsIndex`, or none.
  public func encodeItems(
    at index: Int, idField: String?, idsIndex: Int? = nil
  ) throws(JSONError) -> EncodedItems? {
    var page = cjson_page()
    page.bytes.limit = textLimit
    defer { cjson_page_free(&page) }
    var error = cjson_error()
    let status = cjson_page_append(
      pointer, Int32(clamping: index), idField, Int32(clamping: idsIndex ?? 0), &page, &error)
    if status != CJSON_OK { throw JSONError(status, error) }
    guard page.count > 0, let base = page.bytes.bytes else { return nil }
    let entries = UnsafeBufferPointer(start: page.items, count: page.count).map { item in
      EncodedItems.Entry(range: item.offset..<item.offset + item.length, id: id(of: item, in: page))
    }
    let items = EncodedItems(
      entries: entries, base: UnsafeMutableRawPointer(base), count: page.bytes.length,
      capacity: page.bytes.capacity)
    page.bytes = cjson_buffer()
    return items
  }

  private func id(of item: cjson_item, in page: cjson_page) -> EncodedItems.ID {
    switch item.id_kind {
    case CJSON_ID_INTEGER: return .integer(item.id_integer)
    case CJSON_ID_TEXT:
      guard item.id_length > 0 else { return .other }
      let text = UnsafeRawBufferPointer(start: page.ids.bytes + item.id_offset, count: item.id_length)
      return .text(String(decoding: text, as: UTF8.self))
    case CJSON_ID_NONE: return .none
    default: return .other
    }
  }
}
