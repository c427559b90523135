import CJSON

/// Where an array or an object ends, of which the bytes come in pieces. Only its brackets and texts are looked at: whether all of it is
/// JSON, its reader will say.
///
/// ```swift
/// var extent = JSONExtent()
/// extent.pass(bytes)  // 8 of {"a":[]},…
/// extent.isWhole      // true
/// ```
public struct JSONExtent: Sendable {
  private var extent = cjson_extent()

  public init() {}

  /// Whether its last bracket was passed.
  public var isWhole: Bool { extent.depth == 0 }

  /// Passes the bytes that belong to it, the very first of which is its bracket; answers how many they are.
  public mutating func pass(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.baseAddress.map { cjson_extend(&extent, $0, bytes.count) } ?? 0
  }
}
