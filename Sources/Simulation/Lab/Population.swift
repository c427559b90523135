/// The readers or the networks of a world: one, or several with their shares of the sessions.
struct Population<Member: Sendable>: Sendable {
  /// Members that share a weight equally.
  struct Part: Sendable {
    let weight: Double
    let members: [Member]
  }

  /// Of all parts, in their order.
  let members: [Member]
  private let parts: [(weight: Double, first: Int, count: Int)]

  init(_ parts: [Part]) {
    members = parts.flatMap(\.members)
    var first = 0
    self.parts = parts.map { part in
      defer { first += part.members.count }
      return (part.weight, first, part.members.count)
    }
  }

  /// All parts in one line, for the record. Of many members, one hash says whether they are the same.
  func summary(of what: String, _ describe: (Member) -> String) -> String {
    let texts = parts.map { part in
      let texts = members[part.first..<part.first + part.count].map(describe)
      let share = parts.count > 1 ? "\(InvalidWorld.plain(part.weight)) × " : ""
      guard texts.count > 1 else { return share + texts[0] }
      var hash = TraceHash()
      for text in texts { hash.add(text) }
      return "\(share)\(texts.count) \(what), as \(texts[0]) (hash of all \(hash.text))"
    }
    return texts.joined(separator: "; ")
  }

  /// Which member's turn it is, that many times: in any number of turns every part has its share as nearly as can be, and
  /// within a part members go in turn.
  func turns(_ count: Int) -> [Int32] {
    if parts.count == 1 { return (0..<count).map { Int32($0 % members.count) } }
    var taken = Array(repeating: 0, count: parts.count)
    return (0..<count).map { _ in
      // The part whose next turn, in the middle of its interval, is due first.
      let due = parts.indices.min { next($0, taken) < next($1, taken) } ?? 0
      defer { taken[due] += 1 }
      return Int32(parts[due].first + taken[due] % parts[due].count)
    }
  }

  private func next(_ part: Int, _ taken: [Int]) -> Double {
    (Double(taken[part]) + 0.5) / parts[part].weight
  }
}
