public import Items

/// A pointer to a page, as the source wants it: a number, a text, or any JSON value.
public enum PageKey: Sendable, Equatable {
  /// A page number, an offset, or a numeric cursor.
  case integer(Int64)
  /// A cursor, or an address.
  case text(String)
  /// One JSON value without line breaks, compared byte by byte.
  case json(Bytes)
}

extension PageKey: Hashable {
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .text(let value): hasher.combine(value)
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

/// Who knows the key of the next page.
public enum KeyKind: String, Sendable, CaseIterable {
  /// The page before it: one fetch at a time.
  case cursor
  /// The host counts pages, from 1 unless told otherwise.
  case page
  /// The host counts items, from 0 unless told otherwise.
  case offset

  /// Whether the host can tell keys ahead of the pages that lead to them.
  public var isCounted: Bool { self != .cursor }
}
