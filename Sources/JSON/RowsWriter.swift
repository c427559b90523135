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
  public struct Overflow: Error {}

  private let rows: OpaquePointer

  /// A list without rows; no two keys are the same.
  public init(keys: [String]) throws(Overflow) {
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
    self.rows = rows
  }

  deinit { cjson_rows_free(rows) }

  /// Bytes written.
  public var count: Int {
    var count = 0
    _ = cjson_rows_json(rows, &count)
    return count
  }

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

  /// The next value: a text; invalid UTF-8 becomes U+FFFD.
  public mutating func text(_ utf8: UnsafeRawBufferPointer) throws(Overflow) {
    try check(cjson_rows_text(rows, utf8.baseAddress?.assumingMemoryBound(to: CChar.self), utf8.count))
  }

  /// The next value: the bytes in base64 (RFC 4648, with padding).
  public mutating func base64(_ bytes: UnsafeRawBufferPointer) throws(Overflow) {
    var writer = JSONWriter(capacity: bytes.count / 3 * 4 + 8)
    writer.base64(bytes)
    let quoted = writer.bytes()
    let isThere = quoted.withUnsafeBytes {
      cjson_rows_text(rows, $0.baseAddress?.assumingMemoryBound(to: CChar.self).advanced(by: 1), $0.count - 2)
    }
    try check(isThere)
  }

  /// The list; all values of each row have been written.
  public consuming func finish() throws(Overflow) -> JSONRows {
    var count = 0
    guard cjson_rows_end(rows) != 0, let text = cjson_rows_json(rows, &count) else {
      _ = consume self
      throw Overflow()
    }
    let (rows, size) = (rows, cjson_rows_size(rows))
    discard self
    let index = JSONRows.Index(adopting: rows) { cjson_rows_free($0) }
    let bytes = Bytes(
      adopting: UnsafeMutableRawPointer(mutating: text), count: count, capacity: count + Bytes.wantedPadding
    ) { _ in withExtendedLifetime(index) {} }
    return JSONRows(bytes, index: index, size: size)
  }

  private func check(_ isThere: Int32) throws(Overflow) {
    if isThere == 0 { throw Overflow() }
  }
}
