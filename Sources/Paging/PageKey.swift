public import Items

/// A pointer to a page, as the source wants it: a number, a string, or any JSON value.
public enum PageKey: Sendable, Equatable {
  /// A page number, an offset, or a numeric cursor.
  case integer(Int64)
  /// A cursor, or a URL.
  case text(String)
  /// One JSON value without line breaks, compared byte by byte.
  case json(Bytes)
}

extension PageKey: Hashable {
  /// Byte by byte: texts that look the same may be two cursors.
  public static func == (a: PageKey, b: PageKey) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.json(let a), .json(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .json(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

extension PageKey: CustomStringConvertible {
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .text(let value): value
    case .json(let bytes): bytes.string
    }
  }
}

/// Who determines the key of the next page.
public enum KeyKind: String, Sendable, CaseIterable {
  /// The previous page: one fetch at a time.
  case cursor
  /// The host counts pages, by default from 1.
  case page
  /// The host counts items, by default from 0.
  case offset

  /// Whether the host can compute keys without fetching the pages before.
  public var isCounted: Bool { self != .cursor }
}
