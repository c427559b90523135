/// The JSON text of a list of objects, with what its writer knows of it, if that is still there: who reads it then need not parse it.
public struct JSONRows: Sendable {
  /// What the writer of a text knows of it, in the memory of the one that wrote it; freed with the last who holds it.
  public final class Index: @unchecked Sendable {
    /// What it is, for those who know its layout.
    public let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// Adopts memory that `free` releases.
    public init(adopting pointer: OpaquePointer, free: @escaping @Sendable (OpaquePointer) -> Void) {
      self.pointer = pointer
      self.free = free
    }

    deinit { free(pointer) }
  }

  public let text: Bytes
  /// Nil for a text that came from elsewhere.
  public let index: Index?
  /// Bytes held by the text and its index.
  public let size: Int

  /// A text of which nothing is known.
  public init(_ text: Bytes) {
    self.text = text
    index = nil
    size = text.count
  }

  /// A text with its index; they hold so many bytes together.
  public init(_ text: Bytes, index: Index, size: Int) {
    self.text = text
    self.index = index
    self.size = size
  }
}

extension JSONRows: Equatable {
  /// The index follows from the text.
  public static func == (left: JSONRows, right: JSONRows) -> Bool { left.text == right.text }
}
