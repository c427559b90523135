import Lua
import Paging

/// The table a policy may return: `{ fetch, direction, wait, cancel, reason }`.
struct VerdictTable {
  private let fields: DefinitionFields

  init(_ fields: DefinitionFields) { self.fields = fields }

  /// The verdict in the table; a missing one is no.
  var verdict: Verdict {
    Verdict(
      fetch: pages, direction: fields.text("direction").flatMap(Direction.init), wait: wait,
      cancel: fields.boolean("cancel") ?? false, reason: fields.text("reason") ?? "")
  }

  private var pages: Int {
    fields.boolean("fetch").map { $0 ? 1 : 0 } ?? fields.limitedCount("fetch") ?? 0
  }

  /// Zero means no wait; any other wait is clamped so that time advances and the wait ends.
  private var wait: Duration? {
    guard let seconds = fields.number("wait"), seconds > 0 else { return nil }
    return .seconds(min(max(seconds, Limits.policyWait.lowerBound), Limits.policyWait.upperBound))
  }

  /// The first key, in order, that is unknown or has an invalid value.
  var mistake: String? {
    var mistakes: [String] = []
    fields.stack.forEachPair(of: fields.table) { stack in
      guard let key = stack.string(at: -2) else {
        return mistakes.append("expected named keys, got \(stack.describe(at: -2).cut(at: 60))")
      }
      if let expected = Self.expected(key, stack) {
        mistakes.append("\(key.cut(at: 60)): expected \(expected), got \(stack.describe(at: -1).cut(at: 60))")
      }
    }
    if fields.boolean("cancel") == true, pages > 0 {
      mistakes.append("cancel: expected without fetch, as its fetches would be cancelled at once")
    }
    return mistakes.min()
  }

  private static let keys = ["fetch", "direction", "wait", "cancel", "reason"]

  /// What belongs under the key if the value on top is of another kind.
  private static func expected(_ key: String, _ stack: LuaStack) -> String? {
    switch key {
    case "fetch":
      let isRight = stack.boolean(at: -1) != nil || stack.integer(at: -1).map { $0 >= 0 } ?? false
      return isRight ? nil : "a number of pages"
    case "direction":
      return stack.string(at: -1).flatMap(Direction.init) == nil
        ? "\"append\", \"prepend\" or \"refresh\"" : nil
    case "wait": return stack.number(at: -1).map { $0 >= 0 && $0.isFinite } ?? false ? nil : "seconds"
    case "cancel": return stack.boolean(at: -1) == nil ? "true or false" : nil
    case "reason": return stack.string(at: -1) == nil ? "a text" : nil
    default:
      let near = NearestName.of(key, in: keys).map { " (did you mean '\($0)'?)" } ?? ""
      return "fetch, direction, wait, cancel and reason only\(near)"
    }
  }
}
