import Foundation
import Testing

/// Answers from files, which `lookahead get` is asked to page in the wrong way.
@Suite(.waiting) struct GetSlipTests {
  private func get(_ answer: String, _ options: [String]) throws -> CommandResult {
    let scratch = try Scratch()
    try scratch.write("p.json", answer)
    let quoted = options.map { "'\($0)'" }.joined(separator: " ")
    return try scratch.shell(
      "python3 -u -m http.server --bind 127.0.0.1 0 > log 2>&1 & server=$!; "
        + "until port=$(sed -n 's/.* port \\([0-9]*\\) .*/\\1/p' log 2>/dev/null) && [ -n \"$port\" ]; do :; done; "
        + "lookahead get http://127.0.0.1:$port/p.json \(quoted); code=$?; kill $server; exit $code")
  }

  @Test(arguments: GetSlipCase.all)
  func `what does not fit the answer is said`(slip: GetSlipCase) throws {
    let result = try get(slip.answer, slip.options)

    #expect(result.exitCode == slip.exit, "\(result.errors)")
    #expect(result.lines.count == slip.items)
    if let says = slip.says {
      #expect(result.errors.contains(says), "\(result.errors)")
    } else {
      #expect(!result.errors.contains("warn"), "\(result.errors)")
    }
  }
}
