import Foundation
import Testing

/// The manual's table of attacks names tests: they are there, under that name.
@Suite(.waiting) struct DefenceTests {
  /// The table as the manual shows it: what holds, and the suite and the sentence of the test.
  private static func rows() throws -> [(suite: String, sentence: String)] {
    let page = try Command.shell("lookahead manual | groff -K utf8 -man -Tutf8 -rLL=2000n").run().output
      .replacing(/\u{1B}\[[0-9]*m/, with: "").replacing(/.\u{8}/, with: "").replacing("\u{2212}", with: "-")
    let table = page.components(separatedBy: "Not defended").first ?? ""
    return (table.components(separatedBy: "SECURITY").last ?? "")
      .matches(of: /\((\w+Tests): (.+)\)\n/).map { (String($0.output.1), String($0.output.2)) }
  }

  @Test func `each attack of the manual's table names a test that there is`() throws {
    let rows = try Self.rows()
    let root = Repository.root.appendingPathComponent("Tests")
    let files =
      FileManager.default.enumerator(atPath: root.path)?.allObjects.compactMap { $0 as? String } ?? []

    #expect(rows.count > 20)
    for row in rows {
      let text = try files.filter { $0.hasSuffix("/\(row.suite).swift") && !$0.hasPrefix(".") }
        .map { try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8) }.joined()
      #expect(text.contains("func `\(row.sentence)`"), "\(row.suite): \(row.sentence)")
    }
  }
}
