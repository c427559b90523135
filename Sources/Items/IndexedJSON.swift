/// A JSON text, with what somebody knows of it who wrote or parsed it before: who reads it then need not parse it.
public struct IndexedJSON: Sendable {
  /// What is known of a text, in the memory of the one who found it; freed with the last who holds it.
  public final class Index: @unchecked Sendable {
    /// What it is, for those who know its layout.
    public let pointer: OpaquePointer
    /// Bytes that it holds besides the text.
    public let size: Int
    private let free: @Sendable (OpaquePointer) -> Void

    /// Adopts memory that `free` releases.
    public init(
      adopting pointer: OpaquePointer, size: Int, free: @escaping @Sendable (OpaquePointer) -> Void
    ) {
      self.pointer = pointer
      self.size = size
      self.free = free
    }

    deinit { free(pointer) }
  }

  public let text: Bytes
  /// Nil where nothing is known.
  public let index: Index?

  /// A text with its index, if there is one. The index refers to the text.
  public init(_ text: Bytes, index: Index? = nil) {
    self.text = text
    self.index = index
  }

  /// Bytes held by the text and its index.
  public var size: Int { text.count + (index?.size ?? 0) }
}

extension IndexedJSON: Equatable {
  /// The index follows from the text.
  public static func == (left: IndexedJSON, right: IndexedJSON) -> Bool { left.text == right.text }
}
