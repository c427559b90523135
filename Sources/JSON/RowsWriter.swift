public import Items
import CJSON

/// Writes a list of objects with the same keys as JSON, together with its index, so that who reads it need not parse it.
///
/// ```swift
/// var rows = RowsWriter(keys: ["id", "name"])
/// try rows.integer(1)
/// try "a".withCString { try rows.text(UnsafeRawBufferPointer(start: $0, count: 1)) }
/// let list = try rows.finish()  // [{"id":1,"name":"a"}]
/// ```
public struct RowsWriter: ~Copyable {
  /// There is no memory for the list, or it has more than 4 GB.
  public struct Overflow: Error {
    public init() {}
  }

  /// A text is no UTF-8: what would stand for its bytes would stand for others too. The list is good for nothing then.
  public struct NoText: Error, Sendable {
    /// A few of its bytes, up to the first that is wrong.
    public let bytes: [UInt8]

    init(_ text: UnsafeRawBufferPointer, wrongAt place: Int) {
      bytes = Array(text[max(0, place - 3)...place])
    }

    /// Nil where all of it is UTF-8.
    public init?(in text: UnsafeRawBufferPointer) {
      var decoder = UTF8()
      var rest = text.makeIterator()
      var place = 0
      while true {
        switch decoder.decode(&rest) {
        case .scalarValue(let scalar): place += UTF8.width(scalar)
        case .emptyInput: return nil
        case .error:
          self.init(text, wrongAt: place)
          return
        }
      }
    }
  }

  private let rows: OpaquePointer

  /// A list without rows, with room for so many and their bytes; no two keys are the same.
  public init(keys: [String], room: (bytes: Int, rows: Int) = (0, 0)) throws(Overflow) {
    guard let rows = cjson_rows_new() else { throw Overflow() }
    for var key in keys {
      let isThere = key.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { cjson_rows_key(rows, $0.baseAddress, $0.count) }
      }
      guard isThere != 0 else {
        cjson_rows_free(rows)
        throw Overflow()
      }
    }
    if room.rows > 0 { cjson_rows_reserve(rows, room.bytes, room.rows) }
    self.rows = rows
  }

  deinit { cjson_rows_free(rows) }

  /// Bytes written.
  public var count: Int {
    var count = 0
    _ = cjson_rows_json(rows, &count)
    return count
  }

  /// Lends the list to a function of C that adds to it.
  public mutating func withList<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(rows) }

  /// The next value: null.
  public mutating func null() throws(Overflow) { try check(cjson_rows_null(rows)) }

  /// The next value: true or false.
  public mutating func boolean(_ value: Bool) throws(Overflow) {
    try check(cjson_rows_boolean(rows, value ? 1 : 0))
  }

  /// The next value: an integer, exactly.
  public mutating func integer(_ value: Int64) throws(Overflow) { try check(cjson_rows_integer(rows, value)) }

  /// The next value: the shortest form that reads back as the same number; infinities and NaN, which JSON lacks, become null.
  public mutating func real(_ value: Double) throws(Overflow) {
    if value.isFinite { try check(cjson_rows_real(rows, value)) } else { try null() }
  }

  /// The next value: a text; one that is no UTF-8 is an error (`NoText`).
  public mutating func text(_ utf8: UnsafeRawBufferPointer) throws {
    let start = utf8.baseAddress?.assumingMemoryBound(to: CChar.self)
    var wrong: UnsafePointer<CChar>?
    let isThere = cjson_rows_text(rows, start, utf8.count, &wrong)
    if let start, let wrong { throw NoText(utf8, wrongAt: wrong - start) }
    try check(isThere)
  }

  /// The next value: the bytes in base64 (RFC 4648, with padding).
  public mutating func base64(_ bytes: UnsafeRawBufferPointer) throws(Overflow) {
    var writer = JSONWriter(capacity: bytes.count / 3 * 4 + 8)
    writer.base64(bytes)
    let quoted = writer.bytes()
    var wrong: UnsafePointer<CChar>?
    let isThere = quoted.withUnsafeBytes {
      cjson_rows_text(
        rows, $0.baseAddress?.assumingMemoryBound(to: CChar.self).advanced(by: 1), $0.count - 2, &wrong)
    }
    try check(isThere)
  }

  /// The list; all values of each row have been written.
  public consuming func finish() throws(Overflow) -> IndexedJSON {
    var count = 0
    guard let found = cjson_rows_end(rows), let text = cjson_rows_json(rows, &count) else {
      _ = consume self
      throw Overflow()
    }
    discard self
    let index = IndexedJSON.Index(adopting: found, size: cjson_index_size(found)) { cjson_index_free($0) }
    let bytes = Bytes(
      adopting: UnsafeMutableRawPointer(mutating: text), count: count, capacity: count + Bytes.wantedPadding
    ) { _ in withExtendedLifetime(index) {} }
    return IndexedJSON(bytes, index: index)
  }

  private func check(_ isThere: Int32) throws(Overflow) {
    if isThere == 0 { throw Overflow() }
  }
}
