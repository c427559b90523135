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

  private let found: FoundItems
  /// The stretch: `count` bytes in a block of `capacity`, to be freed with `free`; the caller owns it.
  public let base: UnsafeMutableRawPointer
  public let count: Int
  public let capacity: Int

  init(_ page: cjson_page, at base: UnsafeMutablePointer<CChar>) {
    found = FoundItems(page)
    self.base = UnsafeMutableRawPointer(base)
    (count, capacity) = (page.bytes.length, page.bytes.capacity)
  }

  /// The places of the items, in their order.
  public var indices: Range<Int> { 0..<found.count }

  /// Where an item is in the stretch.
  public func range(at place: Int) -> Range<Int> { found.range(at: place) }

  /// What the source says that an item is called.
  public func id(at place: Int) -> ID { found.id(at: place) }

  /// Frees a stretch.
  @Sendable public static func free(_ base: UnsafeMutableRawPointer) {
    var buffer = cjson_buffer()
    buffer.bytes = base.assumingMemoryBound(to: CChar.self)
    cjson_buffer_free(&buffer)
  }
}

/// Where the items of a page are, and their ids.
final class FoundItems {
  private var page: cjson_page

  /// Adopts the page but for its bytes.
  init(_ page: cjson_page) {
    self.page = page
    self.page.bytes = cjson_buffer()
  }

  deinit { cjson_page_free(&page) }

  var count: Int { page.count }

  func range(at place: Int) -> Range<Int> {
    let item = page.items + place
    return item.pointee.offset..<item.pointee.offset + item.pointee.length
  }

  func id(at place: Int) -> EncodedItems.ID {
    let item = page.items + place
    switch item.pointee.id_kind {
    case CJSON_ID_INTEGER: return .integer(item.pointee.id_integer)
    case CJSON_ID_TEXT:
      let (offset, length) = (item.pointee.id_offset, item.pointee.id_length)
      guard length > 0 else { return .other }
      let text = UnsafeRawBufferPointer(start: page.ids.bytes + offset, count: length)
      return .text(String(decoding: text, as: UTF8.self))
    case CJSON_ID_NONE: return .none
    default: return .other
    }
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
    var error = cjson_error()
    let status = cjson_page_append(
      pointer, Int32(clamping: index), idField, Int32(clamping: idsIndex ?? 0), &page, &error)
    guard status == CJSON_OK, page.count > 0, let base = page.bytes.bytes else {
      cjson_page_free(&page)
      if status != CJSON_OK { throw JSONError(status, error) }
      return nil
    }
    return EncodedItems(page, at: base)
  }
}
