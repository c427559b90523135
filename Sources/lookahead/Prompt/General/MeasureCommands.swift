import Lua
import Paging
import Scripting
import Terminal
import Text

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

  /// The growth of the heap.
  static func memory(_ bytes: Int) -> String {
    (bytes < 0 ? "-" : "+") + Amount.bytes(abs(bytes)) + " of memory"
  }
}

/// Short durations.
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

/// `:bench`: repeats an expression, in batches long enough to be measured.
final class BenchCommand {
  private let session: PromptSession
  private let text: String
  private let isExpression: Bool
  private var isStopped = false
  private var began = Instant.zero
  private var calls = 1
  private var batches: [Double] = []
  private var growth = 0

  /// Minimum duration of a batch.
  private static let enough = 0.02
  private static let wanted = 7
  private static let mostCalls = 1 << 24

  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    guard !text.isEmpty else { throw PromptFault(":bench expects an expression or statements") }
    let isExpression = session.workflow.completeness(of: "local _ = (\(text)\n)") == .complete
    if !isExpression, case .broken(let error) = session.workflow.completeness(of: text) {
      return session.show(error, of: text)
    }
    let bench = BenchCommand(session, text, isExpression: isExpression)
    session.hold { bench.isStopped = true }
    bench.runBatch()
  }

  private init(_ session: PromptSession, _ text: String, isExpression: Bool) {
    self.session = session
    self.text = text
    self.isExpression = isExpression
  }

  private func runBatch() {
    let body = isExpression ? "local _ = (\(text)\n)" : "\(text)\n"
    began = session.clock()
    session.evaluate("for __call = 1, \(calls) do \(body) end", name: ":bench") { evaluation in
      self.ended(evaluation)
    }
  }

  private func ended(_ evaluation: Evaluation) {
    if let failure = evaluation.failure {
      session.show(failure, of: text)
      return session.release()
    }
    guard !isStopped else { return session.release() }
    let took = (session.clock() - began).inSeconds
    if calls == 1 { growth = evaluation.growth }
    if batches.isEmpty, took < Self.enough, calls < Self.mostCalls {
      // Towards the wanted time, but never more than tenfold, since the first batches also warm up.
      let factor = took > 0 ? Self.enough * 1.3 / took : 10
      calls = min(Self.mostCalls, calls * max(2, min(10, Amount.whole(factor.rounded(.up)))))
      return runBatch()
    }
    batches.append(took / Double(calls))
    if batches.count < Self.wanted { return runBatch() }
    show()
    session.release()
  }

  private func show() {
    let sorted = batches.sorted()
    session.say(
      """
      \(ShortTime.text(sorted[sorted.count / 2])) per call (median), \(ShortTime.text(sorted[0])) … \
      \(ShortTime.text(sorted[sorted.count - 1])) (min … max)
      """)
    let count = "\(batches.count) batches of \(Amount.count(calls)) call\(calls == 1 ? "" : "s")"
    session.say("\(count), the loop counted · first call \(MeasureCommands.memory(growth))", .dim)
  }
}
