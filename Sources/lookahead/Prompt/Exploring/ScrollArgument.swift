import Paging
import Simulation

/// A scroll target such as `40`, `-1 screen`, `to 200`, `end`, with `in 2s` for the duration.
struct ScrollArgument: Equatable {
  enum Target: Equatable {
    case items(Int)
    case screens(Double)
    /// From 1.
    case place(Int)
    case start
    case end
  }

  let target: Target
  /// Nil is at once.
  var duration: Duration?

  static let usage = "N | N screens | to N | start | end [in TIME]"

  init(_ text: String) throws(PromptFault) {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    if let position = words.lastIndex(of: "in") {
      let rest = words[(position + 1)...].joined()
      guard let span = TimeSpan(argument: rest), span.duration <= .seconds(3600) else {
        throw PromptFault(
          ":scroll … in expects a time up to an hour, as 2s, got \(rest.isEmpty ? "nothing" : rest)")
      }
      duration = span.duration
      words.removeSubrange(position...)
    }
    guard let target = Self.target(words) else {
      throw PromptFault(
        ":scroll expects a number of items or where to go, got \(text.isEmpty ? "nothing" : text)",
        hint: "As :scroll 40, :scroll -1 screen, :scroll to 200, :scroll end in 2s.")
    }
    self.target = target
  }

  private static func target(_ words: [String]) -> Target? {
    switch words.count {
    case 1:
      if words[0] == "start" { return .start }
      if words[0] == "end" { return .end }
      return items(words[0]).map { .items($0) }
    case 2 where words[0] == "to": return items(words[1]).flatMap { $0 >= 1 ? .place($0) : nil }
    case 2 where ["screen", "screens"].contains(words[1]):
      return Double(words[0]).flatMap { abs($0) <= 1e6 ? .screens($0) : nil }
    case 2 where ["item", "items"].contains(words[1]): return items(words[0]).map { .items($0) }
    default: return nil
    }
  }

  private static func items(_ text: String) -> Int? {
    Int(text).flatMap { -100_000_000...100_000_000 ~= $0 ? $0 : nil }
  }

  /// The place that is first to be seen then, from 0.
  func place(in exploration: Exploration) -> Int {
    let now = exploration.viewport.firstVisible
    let place =
      switch target {
      case .items(let count): now + count
      case .screens(let count): now + Int((count * Double(exploration.screen)).rounded())
      case .place(let number): number - 1
      case .start: 0
      case .end: exploration.lastPlace ?? max(0, exploration.list.held.upperBound - exploration.screen)
      }
    return max(0, min(place, exploration.lastPlace ?? place))
  }
}
