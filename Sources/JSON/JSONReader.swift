import CJSON

/// Reads JSON documents one after another, reusing its memory: simdjson locates the values, which are decoded only on
/// access.
///
/// ```swift
/// var reader = JSONReader()
/// let value = try reader.read(bytes)
/// for member in value.members { print(member.key.string, member.value.bytes.count) }
/// ```
public struct JSONReader: ~Copyable {
  /// Maximum nesting of arrays and objects in any document; the innermost is empty.
  public static let mostNested = 1024

  private let reader: OpaquePointer

  /// A reader with nothing read yet.
  public init() {
    guard let reader = cjson_reader_new() else { preconditionFailure("out of memory") }
    self.reader = reader
  }

  deinit { cjson_reader_free(reader) }

  /// The single value in the bytes, surrounded by optional white space. Valid until the next document is read, and as
  /// long as the bytes are. Arrays and objects may be nested at most `deepest` levels, the innermost empty.
  public mutating func read(
    _ bytes: UnsafeRawBufferPointer, deepest: Int = JSONReader.mostNested
  ) throws(JSONFault) -> JSONValue {
    var error = cjson_error()
    guard let value = value(bytes, deepest, &error) else { throw JSONFault(error) }
    return value
  }

  /// The single value in the bytes, or nil if they are not JSON; no diagnosis is made.
  public mutating func readIfValid(
    _ bytes: UnsafeRawBufferPointer, deepest: Int = JSONReader.mostNested
  ) -> JSONValue? {
    value(bytes, deepest, nil)
  }

  /// Calls `body` with the single value in the text; it is valid during the call.
  public static func read<Result>(
    _ text: some StringProtocol, deepest: Int = JSONReader.mostNested, _ body: (JSONValue) -> Result
  ) throws(JSONFault) -> Result {
    var text = String(text)
    let result: Swift.Result<Result, JSONFault> = text.withUTF8 { utf8 in
      var reader = JSONReader()
      do throws(JSONFault) {
        return .success(body(try reader.read(UnsafeRawBufferPointer(utf8), deepest: deepest)))
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func value(
    _ bytes: UnsafeRawBufferPointer, _ deepest: Int, _ error: UnsafeMutablePointer<cjson_error>?
  ) -> JSONValue? {
    var nodes: UnsafePointer<cjson_node>?
    let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard cjson_read(reader, text, bytes.count, max(0, deepest), &nodes, error) == CJSON_OK, let nodes,
      let base = bytes.baseAddress
    else { return nil }
    return JSONValue(nodes, base)
  }
}
