import Paging
import Scripting

/// How long a person waits at the prompt: completion, printing and short lines, on tables with so many keys (100,000 unless
/// an argument says otherwise).
@main struct Prompting {
  static func main() throws {
    let keys = CommandLine.arguments.dropFirst().compactMap { Int($0) }.first ?? 100_000
    let prompt = try BenchmarkedPrompt()
    prompt.enter(
      """
      words, rows, numbers, scattered = {}, {}, {}, {}
      for i = 1, \(keys) do words[("key%06d"):format(i)] = i end
      for i = 1, \(keys) do
        rows[i] = { id = i, name = "row " .. i, score = i / 7 }
        numbers[i] = i
        scattered["name " .. i] = true
        scattered[("field%06d"):format(i)] = i
      end
      document = lookahead.json.decode(lookahead.json.encode(rows))
      """)
    print("median and slowest of 101, in ms, \(keys) keys")
    prompt.measure("complete words.key0420 (100 of them)") { prompt.complete("words.key0420") }
    prompt.measure("complete words. (all of them)") { prompt.complete("words.") }
    prompt.measure("complete scattered.field0420, among twice as many keys and \(keys) rows") {
      prompt.complete("scattered.field0420")
    }
    prompt.measure("complete words[\"key09") { prompt.complete("words[\"key09") }
    prompt.measure("complete numbers[") { prompt.complete("numbers[") }
    prompt.measure("complete lookahead.http.g") { prompt.complete("lookahead.http.g") }
    prompt.measure("complete a name") { prompt.complete("x = loo") }
    for name in ["words", "rows", "numbers", "document"] {
      prompt.measure("show \(name)") { prompt.show(name) }
    }
    prompt.measure("evaluate 1 + 1") { prompt.enter("1 + 1") }
    prompt.measure("decide that `for i = 1, 3 do` is incomplete") {
      prompt.complete("for i = 1, 3 do", isText: true)
    }
  }
}

/// A prompt without a terminal.
final class BenchmarkedPrompt {
  private let workflow: Workflow
  private let clock = ContinuousClock()

  init() throws {
    var options = WorkflowOptions(scriptName: "prompt", scriptFolder: ".")
    options.prompt = PromptOptions()
    workflow = try Workflow(text: "", options: options)
    _ = workflow.handle(.started, at: .zero)
  }

  func enter(_ text: String) {
    workflow.evaluate(text, name: "prompt:1", number: 1) { evaluation in
      if let failure = evaluation.failure { preconditionFailure("\(failure)") }
    }
    _ = workflow.handle(.woke, at: .zero)
  }

  func complete(_ text: String, isText: Bool = false) {
    if isText {
      precondition(workflow.completeness(of: text) == .incomplete)
    } else {
      precondition(!workflow.completions(of: text, at: text.utf8.count).candidates.isEmpty)
    }
  }

  func show(_ name: String) {
    guard let value = workflow.value(at: name) else { preconditionFailure("no \(name)") }
    precondition(!workflow.text(of: value, named: name).isEmpty)
  }

  func measure(_ what: String, _ body: () -> Void) {
    let times = (0..<101).map { _ in clock.measure(body) }.sorted()
    print("\(milliseconds(times[50]))  \(milliseconds(times[100]))  \(what)")
  }

  private func milliseconds(_ duration: Duration) -> String {
    let thousandths = Int(duration / .microseconds(1))
    let text = "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
  }
}
