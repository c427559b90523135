import Testing

@Suite(.waiting) struct CompletionTests {
  /// What bash offers for a line whose cursor is at its end, in a folder with a script and another file.
  private func offered(_ words: [String]) throws -> [String] {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write("notes.txt", "")
    try scratch.write("items.ndjson", "")
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let result = try scratch.shell(
      """
      shopt -s extglob
      source <(lookahead --generate-completion-script bash)
      COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1) COMP_LINE="\(words.joined(separator: " "))"
      COMP_POINT=${#COMP_LINE}
      _lookahead lookahead "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(result.errors == "")
    return result.lines.sorted()
  }

  @Test(arguments: [
    (["lookahead", "ch"], ["check"]), (["lookahead", "run", "f"], ["feed.lua"]),
    (["lookahead", "run", "n"], []), (["lookahead", "browse", ""], ["feed.lua"]),
    (["lookahead", "check", "--form"], ["--format"]),
    (["lookahead", "check", "--format", ""], ["json", "text"]),
    (["lookahead", "run", "feed.lua", "--format", "s"], ["sqlite"]),
    (["lookahead", "run", "feed.lua", "-o", "i"], ["items.ndjson"]),
    (["lookahead", "run", "feed.lua", "--params-file", "n"], ["notes.txt"]),
    (["lookahead", "browse", "feed.lua", "--policy", "ra"], ["ramp"]),
    (["lookahead", "lab", "--policy", "re"], ["remainingTime"]),
    (["lookahead", "lab", "--policy", "f"], ["feed.lua"]),
    (["lookahead", "lab", "--workload", "s"], ["searcher", "skimmer", "steady"]),
    (["lookahead", "lab", "--network", "m"], ["mahimahi:", "measured:"]),
    (["lookahead", "new", "s"], ["source"]),
  ])
  func `bash offers what fits`(words: [String], expected: [String]) throws {
    let offered = try offered(words)

    #expect(offered.filter { !$0.hasPrefix("-") || expected.contains($0) } == expected)
  }

  @Test func `bash takes a script for its completion`() throws {
    let result = try Command.shell(
      """
      lookahead --generate-completion-script bash > /dev/stdout | bash -n && echo right
      source <(lookahead --generate-completion-script bash) && complete -p lookahead
      """
    ).run()

    #expect(result.lines.first == "right")
    #expect(result.lines.last?.hasSuffix("-F _lookahead lookahead") == true)
    #expect(result.errors == "")
  }
}
