import CJSON

/// Reads JSON documents one after the other, with memory that is used again: simdjson finds the values, nothing is decoded
/// before it is asked for.
///
/// ```swift
/// var reader = JSONReader()
/// let value = try reader.read(bytes)
/// for member in value.members { print(member.key.string, member.value.bytes.count) }
/// ```
public struct JSONReader: ~Copyable {
  /// Arrays and objects within each other that any document may have; the innermost of them is empty.
  public static let mostNested = 1024

  private let reader: OpaquePointer

  /// A reader that has read nothing yet.
  public init() {
    guard let reader = cjson_reader_new() else { preconditionFailure("out of memory") }
    self.reader = reader
  }

  deinit { cjson_reader_free(reader) }

  /// The one value that the bytes are, with white space around it or none. It is valid until the next document is read, and
  /// as long as the bytes are. At most `deepest` arrays and objects may be within each other, the innermost of them empty.
  public mutating func read(
    _ bytes: UnsafeRawBufferPointer, deepest: Int = JSONReader.mostNested
  ) throws(JSONFault) -> JSONValue {
    var error = cjson_error()
    guard let value = value(bytes, deepest, &error) else { throw JSONFault(error) }
    return value
  }

  /// The one value that the bytes are, or nil when they are no JSON; nothing is found out about why.
  public mutating func readIfValid(
    _ bytes: UnsafeRawBufferPointer, deepest: Int = JSONReader.mostNested
  ) -> JSONValue? {
    value(bytes, deepest, nil)
  }

  /// Calls `body` with the one value that the text is; it is valid during the call.
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
