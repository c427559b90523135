import Items
import Testing

/// An index map as a case gives it: a name, or new indices by old ones.
enum ExpectedMap: Decodable {
  case named(String)
  case pairs([String: Int])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      try (try? container.decode(String.self)).map { .named($0) }
      ?? .pairs(container.decode([String: Int].self))
  }

  /// Checks a map over that many old indices, both ways.
  func check(_ map: IndexMap, oldCount: Int, _ comment: Comment) {
    switch self {
    case .named(let name): #expect(map == (name == "identity" ? .identity : .empty), comment)
    case .pairs(let pairs):
      for old in 0..<oldCount {
        #expect(map.new(old) == pairs["\(old)"], comment)
        if let new = pairs["\(old)"] { #expect(map.old(new) == old, comment) }
      }
    }
  }
}
