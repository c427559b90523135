import CJSON

/// Why a text is no JSON, or a value cannot be written as JSON.
public struct JSONError: Error, Sendable, Equatable {
  /// 1-based; nil where they mean nothing. Columns count bytes.
  public var line: Int?
  public var column: Int?
  public var message: String
  /// The state's memory limit stopped the work.
  public var isMemory: Bool
}

extension LuaStack {
  /// Pushes the value of a JSON text.
  ///
  /// With at least 64 bytes of `padding` after it the text is read in place, and `owner` kept alive as long as something
  /// refers to it. Lists of objects are built row by row when a script touches them.
  public func pushJSON(
    _ text: UnsafeRawBufferPointer, padding: Int = 0, owner: AnyObject? = nil
  ) throws(JSONError) {
    var error = cjson_error()
    let retained = owner.map { Unmanaged.passRetained($0).toOpaque() }
    let status = cjson_decode(
      pointer, text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, padding, retained,
      { $0.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }, &error)
    if status != CJSON_OK { throw JSONError(status, error) }
  }

  /// The JSON text of the value at `index`; `indent` 0 gives one line.
  public func json(at index: Int, indent: Int = 0) throws(JSONError) -> String {
    var buffer = cjson_buffer()
    defer { cjson_buffer_free(&buffer) }
    try encodeJSON(at: index, indent: indent, into: &buffer)
    return String(
      decoding: UnsafeRawBufferPointer(start: buffer.bytes, count: buffer.length), as: UTF8.self)
  }

  /// Calls `body` with the JSON text of the value at `index`, on one line; the bytes are valid during the call.
  public func withJSON<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(JSONError) -> Result {
    var buffer = cjson_buffer()
    defer { cjson_buffer_free(&buffer) }
    try encodeJSON(at: index, indent: 0, into: &buffer)
    return body(UnsafeRawBufferPointer(start: buffer.bytes, count: buffer.length))
  }

  /// Marks the table at `index` as an array, so that an empty one is written as `[]`.
  public func markArray(at index: Int) { _ = cjson_mark_array(pointer, Int32(index)) }

  private func encodeJSON(at index: Int, indent: Int, into buffer: inout cjson_buffer) throws(JSONError) {
    var error = cjson_error()
    let status = cjson_encode(pointer, Int32(index), Int32(indent), &buffer, &error)
    if status != CJSON_OK { throw JSONError(status, error) }
  }
}

extension JSONError {
  init(_ status: cjson_status, _ error: cjson_error) {
    isMemory = status == CJSON_MEMORY
    line = error.line > 0 ? error.line : nil
    column = error.column > 0 ? error.column : nil
    message = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if isMemory { message = "not enough memory" }
  }
}
