public import Items

/// A page of the list in a JSON file.
public struct FilePage: Sendable, Equatable {
  /// Its elements, as a JSON list; the index is there where they were parsed on their way.
  public var elements: IndexedJSON
  /// Bytes of the file before its first element; of a packed file, of what is in it.
  public var start: Int64
  /// Where the next one begins; nil behind the last element.
  public var next: FilePlace?

  public init(elements: Bytes, start: Int64 = 0, next: FilePlace?) {
    self.elements = IndexedJSON(elements)
    self.start = start
    self.next = next
  }
}

/// A place in a file, and which file it was: one that has changed since has other places.
public struct FilePlace: Sendable, Equatable {
  /// Bytes before it; of a packed file, of what is in it.
  public var offset: Int64
  /// Bytes of the file.
  public var size: Int64
  /// When the file was changed last, in nanoseconds since 1970.
  public var changed: Int64

  public init(offset: Int64, size: Int64, changed: Int64) {
    self.offset = offset
    self.size = size
    self.changed = changed
  }
}
