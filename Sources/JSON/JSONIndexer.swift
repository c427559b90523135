public import Items
import CJSON

/// Parses JSON texts ahead of those who will read them, on any one thread at a time.
public final class JSONIndexer {
  private let parser = cjson_parser_new()

  public init() {}

  deinit { parser.map(cjson_parser_free) }

  /// The text with its index; without one if it is no JSON, which its reader will find, or is so short that it does not pay, or so
  /// long that its index would take much memory before anybody asks for it: those of other lengths in bytes.
  public func index(_ text: Bytes, ifOf lengths: ClosedRange<Int> = 1024...(1 << 20)) -> IndexedJSON {
    guard lengths ~= text.count else { return IndexedJSON(text) }
    let found = parser.flatMap { parser in
      text.withUnsafeBytes {
        cjson_parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, text.padding)
      }
    }
    return IndexedJSON(
      text,
      index: found.map { found in
        IndexedJSON.Index(adopting: found, size: cjson_index_size(found)) { cjson_index_free($0) }
      })
  }
}
