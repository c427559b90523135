import Foundation
import Testing

/// Engines other than our own, by the same lines.
@Suite(.waiting) struct EngineTests {
  @Test func `GNU parallel reads all partitions, and goes on where it was stopped`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let line =
      "LOOKAHEAD=\(Repository.binary) \(Repository.root.path)/scripts/engines/parallel.sh feed.lua all/ 3"
    let failed = try scratch.shell("\(line) -e fault=9")
    let early = scratch.has("all/manifest.json")
    let whole = try scratch.shell(line)

    #expect(failed.exitCode != 0 && !early)
    #expect(failed.errors.contains("account 9 is broken"), "\(failed.errors)")
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(whole.lines.count { $0.contains(#""isNew":false"#) } >= 11)
    #expect(try PartedScript.rows(of: "all/", in: scratch) == PartedScript.rows())
  }
}
