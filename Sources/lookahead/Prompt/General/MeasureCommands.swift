import Paging
import Scripting
import Terminal

/// `:time`.
enum MeasureCommands {
  static func time(_ session: PromptSession, _ text: String) throws(PromptFault) {
    guard !text.isEmpty else { throw PromptFault(":time expects an expression or statements") }
    let before = session.workflow.statistics
    let began = session.clock()
    session.evaluate(text, name: ":time") { [unowned session] evaluation in
      if let failure = evaluation.failure { return session.show(failure, of: text) }
      session.show(evaluation)
      let requests = session.workflow.statistics.requests - before.requests
      var parts = [ShortTime.text((session.clock() - began).inSeconds), memory(evaluation.growth)]
      if requests > 0 { parts.append(requests == 1 ? "1 request" : "\(requests) requests") }
      session.say(parts.joined(separator: " · "), .dim)
    }
  }

  /// What the heap has grown by.
  static func memory(_ bytes: Int) -> String {
    (bytes < 0 ? "-" : "+") + Amount.bytes(abs(bytes)) + " of memory"
  }
}

/// Short times as people read them.
enum ShortTime {
  /// `840 ns`, `1.25 µs`, `31 ms`, `2.40 s`.
  static func text(_ seconds: Double) -> String {
    let units = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)]
    let (unit, scale) = units.first { seconds >= $0.1 } ?? ("ns", 1e-9)
    if seconds >= 60 { return Amount.duration(seconds) }
    let amount = seconds / scale
    let text = amount >= 100 ? "\(Amount.whole(amount))" : Amount.decimals(amount, amount >= 10 ? 1 : 2)
    return "\(text) \(unit)"
  }
}
