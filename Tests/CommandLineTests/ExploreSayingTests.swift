import Foundation
import Testing

/// What an exploration says of itself agrees, whichever command is asked.
@Suite(.waiting) struct ExploreSayingTests {
  private static let small = Scripts.numbers.replacing("pageSize = 100", with: "pageSize = 10")

  /// The head of the comparison, without the blanks in it.
  private func head(_ result: CommandResult) -> String {
    let line = result.lines.last { $0.contains("before: ") } ?? ""
    return line.split(separator: " ").joined(separator: " ")
  }

  @Test func `a policy that was set when all was over did not decide what came before`() throws {
    let result = try explore(
      [
        ":open screen 10", ":run", ":scroll 60 in 3s", ":run", ":policy onDemand", ":goto 0",
        ":policy everything", ":rerun",
      ], Self.small)

    #expect(head(result) == "before: leadingScreens(2.0) now: everything")
  }

  @Test func `policies that decided one after the other are all named`() throws {
    let result = try explore(
      [
        ":open screen 10", ":run", ":scroll 60 in 3s", ":run", ":policy onDemand", ":scroll to 300", ":run",
        ":goto 0", ":rerun",
      ], Self.small)

    #expect(head(result) == "before: leadingScreens(2.0), then onDemand now: leadingScreens(2.0)")
  }

  @Test func `a policy that comes back with its moment is told`() throws {
    let result = try explore(
      [":open", ":run", ":policy onDemand", ":back", ":forward", ":goto 0", ":goto 1"])

    let told = result.lines.filter { $0.hasPrefix("policy: ") }
    #expect(
      told == [
        "policy: leadingScreens(2.0) again, as it was then", "policy: onDemand again, as it was then",
        "policy: leadingScreens(2.0) again, as it was then",
      ])
  }

  @Test func `a wait that began before the repeated stretch is counted with its time`() throws {
    let result = try explore(
      [":open", ":run", ":scroll to 50", ":run", ":goto 0", ":policy everything", ":rerun", ":state"])

    let rows = result.lines.map { $0.split(separator: " ").map(String.init) }
    let stalls = try #require(rows.first { $0.first == "stalls" && $0.count == 3 })
    #expect(stalls[1] != "0" && stalls[2] != "0")
    #expect(result.lines.contains { $0.hasPrefix("requests begun after moment 0 ") })
  }

  @Test func `the same policy on both sides is said to be so`() throws {
    let result = try explore([":open", ":run", ":scroll to 50", ":run", ":goto 1", ":rerun"])

    #expect(result.output.contains("the same policy decided both times"))
  }

  @Test func `what is seen and not there is the same wherever it is told`() throws {
    let result = try explore([":open screen 5", ":why", ":ranges", ":state", ":visible"])

    let missing = "5 of 5 are not there yet"
    #expect(result.lines.contains("    sees 1–5, \(missing); 0 held"))
    #expect(result.lines.contains("sees 1–5: \(missing)"))
    #expect(result.lines.contains { $0.hasPrefix("reader") && $0.contains("sees 1–5 (\(missing))") })
    #expect(result.lines.contains(missing))
    #expect(result.lines.contains { $0.hasPrefix("visible") && $0.contains("none") && $0.hasSuffix("0") })
  }

  @Test func `a list that ends before what is seen is said to end there`() throws {
    let short = Self.small.replacing("context.size, p.count)", with: "context.size, 85)").replacing(
      "total = p.count", with: "total = 95")
    let result = try explore(
      [":open screen 10", ":run", ":scroll to 86", ":run", ":state", ":ranges", ":visible"], short)

    let missing = "10 of 10 are not there: the list ends before"
    #expect(result.lines.contains { $0.hasPrefix("reader") && $0.contains("sees 86–95 (\(missing))") })
    #expect(result.lines.contains("sees 86–95: \(missing)"))
    #expect(result.lines.contains(missing))
    #expect(result.lines.contains { $0.hasPrefix("visible") && $0.contains("none") })
  }

  @Test func `a trace takes the place of a trace or of nothing, and of nothing else`() throws {
    let scratch = try Scratch()
    try scratch.write("empty.ndjson", "")
    try scratch.write("data.json", "[\n  {\"name\": \"mine\"}\n]\n")
    try scratch.write("line.ndjson", "{\"t\": 1}\n")
    let names = [
      "new.ndjson", "new.ndjson", "new.json", "new.json", "empty.ndjson", "data.json", "line.ndjson",
    ]
    let result = try explore([":open", ":run"] + names.map { ":moments " + $0 }, in: scratch)

    let refused = result.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    let written = result.lines.filter { $0.hasPrefix("2 moments, ") }
    #expect(
      refused == [
        "error: data.json is there already, and no trace",
        "error: line.ndjson is there already, and no trace",
      ])
    #expect(written.count == 5)
    #expect(try scratch.text("data.json") == "[\n  {\"name\": \"mine\"}\n]\n")
    #expect(try scratch.text("empty.ndjson").hasPrefix("{\"t\":"))
  }

  @Test func `a trace that cannot be written is one error, and one moment is one`() throws {
    let refused = try explore([":open", ":moments /nonexist/x"])
    let one = try explore([":open", ":moments one.ndjson"])

    #expect(
      refused.errors.split(separator: "\n") == [
        "error: the trace can't be written to /nonexist/x: no such file or directory"
      ])
    #expect(one.lines.contains { $0.hasPrefix("1 moment, ") })
  }

  @Test func `a retry with nothing to try again makes no moment`() throws {
    let result = try explore([":open", ":run", ":retry", ":moments"])

    #expect(result.errors.hasPrefix("error: nothing failed or stopped"))
    #expect(!result.output.contains("tries again"))
  }
}
