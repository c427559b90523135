public import Items

/// An index map as a case gives it: a name, or new indices by old ones.
public enum ExpectedMap: Decodable, Sendable {
  case named(String)
  case pairs([String: Int])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      try (try? container.decode(String.self)).map { .named($0) }
      ?? .pairs(container.decode([String: Int].self))
  }

  /// Whether this is the map over that many old indices, both ways.
  public func matches(_ map: IndexMap, oldCount: Int) -> Bool {
    switch self {
    case .named(let name): map == (name == "identity" ? .identity : .empty)
    case .pairs(let pairs):
      (0..<oldCount).allSatisfy { old in
        map.new(old) == pairs["\(old)"] && pairs["\(old)"].map { map.old($0) == old } ?? true
      }
    }
  }
}
