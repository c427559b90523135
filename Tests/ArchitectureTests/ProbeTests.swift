import Testing

/// The hole that tests put back is in no release.
@Suite struct ProbeTests {
  private static let sources = Repository.files(below: "Sources", endings: ["swift", "c", "cpp"])

  @Test func `the hole is used in debug builds only`() {
    let words = ["CageProbe", "ccage_probe", "LOOKAHEAD_CAGE_PROBE"]

    let wrong = Self.sources.flatMap { file in
      words.flatMap { word in
        file.lines.indices.filter { file.lines[$0].contains(word) && !isForDebugging(file.lines, $0) }
          .map { "\(file.path):\($0 + 1): \(word)" }
      }
    }

    #expect(wrong == [])
    #expect(Self.sources.contains { $0.path == "Sources/CCage/probe.c" && $0.lines.first == "#if DEBUG" })
  }

  /// Whether the line is between `#if DEBUG` and its `#else` or `#endif`.
  private func isForDebugging(_ lines: [String], _ line: Int) -> Bool {
    var conditions: [Bool] = []
    for text in lines[...line] {
      let text = text.drop(while: { $0 == " " })
      if text.hasPrefix("#if") { conditions.append(text == "#if DEBUG") }
      if text.hasPrefix("#else") { conditions[conditions.count - 1] = false }
      if text.hasPrefix("#endif") { conditions.removeLast() }
    }
    return conditions.contains(true)
  }
}
