import CLua
import CLuaJSON

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

  /// Pushes the value of a JSON text of which the index is there; `owner`, who keeps both, is kept alive as long as something refers
  /// to them.
  public func pushJSON(_ index: OpaquePointer, owner: AnyObject) throws(JSONError) {
    var error = cjson_error()
    let status = cjson_push_index(
      pointer, index, Unmanaged.passRetained(owner).toOpaque(),
      { $0.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }, &error)
    if status != CJSON_OK { throw JSONError(status, error) }
  }

  /// The JSON text of the value at `index`; `indent` 0 gives one line. More than `limit` bytes, or than the script has memory
  /// for, are refused.
  public func json(at index: Int, indent: Int = 0, limit: Int = .max) throws(JSONError) -> String {
    try withJSON(at: index, indent: indent, limit: limit) { String(decoding: $0, as: UTF8.self) }
  }

  /// The same of a value that is to come back from its text as it was: keys that would be other ones are refused.
  public func exactJSON(at index: Int) throws(JSONError) -> String {
    try withJSON(at: index, isExact: true) { String(decoding: $0, as: UTF8.self) }
  }

  /// The same in one line, the members of objects by their names: equal values have equal texts, whatever the script has read before.
  public func canonicalJSON(at index: Int) throws(JSONError) -> String { try json(at: index, indent: -1) }

  /// Calls `body` with the JSON text of the value at `index`; the bytes are valid during the call. Limits as above.
  public func withJSON<Result>(
    at index: Int, indent: Int = 0, limit: Int = .max, isExact: Bool = false,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(JSONError) -> Result {
    var buffer = cjson_buffer()
    buffer.limit = min(max(1, limit), textLimit)
    defer { cjson_buffer_free(&buffer) }
    var error = cjson_error()
    let status = cjson_encode(
      pointer, Int32(clamping: index), Int32(clamping: indent), isExact ? 1 : 0, &buffer, &error)
    if status != CJSON_OK { throw JSONError(status, error) }
    return body(UnsafeRawBufferPointer(start: buffer.bytes, count: buffer.length))
  }

  /// The most bytes that a text made of a script's values may have: half of what its memory has left, since most texts
  /// become values of the script again.
  var textLimit: Int { max(1, min(clua_memory_left(pointer) / 2, 1 << 30)) }

  /// Whether the rows that scripts get are read member by member where they ask for them, as at first, or made at once.
  /// A script can't tell, but by the digits of a number that it set in the place of one that was the same double: a row that was made
  /// at once has those that came. Those who keep many rows pay for the one with time, for the other with memory.
  public func setLazyRows(_ areLazy: Bool) { cjson_set_lazy(pointer, areLazy ? 1 : 0) }

  /// The digits that a JSON text has for the number in a field of the table at `index`, where Lua's number would be written with
  /// others; nil where it is all there is.
  public func digits(ofField key: String, of index: Int) -> String? {
    var length = 0
    let digits = key.withCString {
      cjson_digits(pointer, Int32(clamping: index), $0, key.utf8.count, &length)
    }
    return digits.map {
      String(decoding: UnsafeRawBufferPointer(start: $0, count: length), as: UTF8.self)
    }
  }

  /// The same of the elements of the list at `index`, by their positions (1-based). A list that has not as many elements as it came
  /// with, or not all of these numbers at their places, has none.
  public func elementDigits(of index: Int) -> [Int: String] {
    guard cjson_push_digits(pointer, Int32(clamping: index)) != 0 else { return [:] }
    defer { pop() }
    var digits: [Int: String] = [:]
    forEachPair(of: -1) { stack in
      guard stack.isString(at: -1), let position = stack.integer(at: -2) else { return }
      digits[Int(position)] = stack.string(at: -1)
    }
    return digits
  }

  /// Marks the table at `index` as an array, so that an empty one is written as `[]`.
  public func markArray(at index: Int) { _ = cjson_mark_array(pointer, Int32(clamping: index)) }
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
