import Testing

/// The few files that write to standard output, standard error and the terminal; all other code goes through them.
@Suite struct DoorTests {
  private static let swift = ["lookahead", "Terminal", "Hosting", "Scripting", "Simulation", "Lua"].flatMap {
    Repository.files(below: "Sources/\($0)", endings: ["swift"])
  }.filter { !$0.path.hasPrefix("Sources/Scripting/Description/Entries/") }

  /// What writes, and who may.
  private static let doors: [(words: [String], files: Set<String>)] = [
    (["print(", "debugPrint(", "dump(", "putchar(", "puts(", "printf("], []),
    (["fputs(", "fwrite(", "fputc(", "putc(", "fdopen("], []),
    (
      ["fopen("],
      ["Sources/lookahead/Files/TextFile.swift", "Sources/lookahead/Prompt/Exploring/TraceTarget.swift"]
    ),
    (
      ["STDOUT_FILENO, O", "write(STD", "write(1,", "write(2,", "to: STD"],
      ["Sources/lookahead/Output/StandardStreams.swift"]
    ),
    (
      ["F_DUPFD_CLOEXEC"],
      ["Sources/Hosting/Files/FileDescriptor.swift"]
    ),
    (["dup(", "dup2(", "FileHandle"], []),
    (["\"/dev/tty\""], ["Sources/Hosting/Asking/QuestionTerminal.swift"]),
    (["cedit_write("], ["Sources/Terminal/Lines/LineEditor.swift"]),
    (["cterminal_put("], ["Sources/Terminal/Device/TerminalDevice.swift"]),
    (
      ["StandardOutput.send(", "StandardErrors.send("],
      ["Sources/lookahead/Prompt/PlainConsole.swift", "Sources/lookahead/Output/StandardStreams.swift"]
    ),
  ]

  @Test func `nothing is written round the writer`() {
    var wrong: [String] = []
    for file in Self.swift {
      for (number, line) in file.lines.enumerated() {
        let code = Self.code(line)
        for (words, files) in Self.doors where !files.contains(file.path) {
          for word in words where Self.calls(word, code) {
            wrong.append("\(file.path):\(number + 1): \(word)")
          }
        }
      }
    }

    #expect(!Self.swift.isEmpty)
    #expect(wrong == [])
  }

  @Test func `every command runs a script with the same guards`() {
    let makers = Self.swift.filter { file in
      file.path.hasPrefix("Sources/lookahead/") && !file.lines(holding: "WorkflowOptions(").isEmpty
    }

    #expect(makers.map(\.path) == ["Sources/lookahead/Scripts/ScriptOptions.swift"])
  }

  @Test func `only styles, the lines of the editor and the printer of values have sequences`() {
    let allowed: Set = [
      "Sources/Terminal/Lines/LineSpan.swift", "Sources/Terminal/Lines/LineScreen.swift",
      "Sources/Terminal/Lines/LineEditor.swift", "Sources/Terminal/Lines/KeySplitter.swift",
      "Sources/Terminal/Cells/StyledText.swift",
      "Sources/lookahead/Output/StandardStreams.swift", "Sources/Scripting/Printing/PrintedPiece.swift",
      "Sources/Text/TextTable.swift",
    ]
    let wrong = Self.swift.filter { !allowed.contains($0.path) && !$0.lines(holding: "\\u{1B}").isEmpty }

    #expect(wrong.map(\.path) == [])
  }

  /// A line without its comment and without the texts in it, which may hold Lua.
  private static func code(_ line: String) -> String {
    let bare = line.drop { $0 == " " }
    if bare.hasPrefix("//") { return "" }
    return line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset % 2 == 0 || $0.element.hasPrefix("/dev") ? String($0.element) : "" }.joined(
        separator: "\"")
  }

  /// Whether the word stands there by itself, and not as the end of another one.
  private static func calls(_ word: String, _ code: String) -> Bool {
    var rest = code[...]
    while let place = rest.firstRange(of: word) {
      let before = place.lowerBound > code.startIndex ? code[code.index(before: place.lowerBound)] : " "
      if !(before.isLetter || before.isNumber || "_.\"".contains(before)) { return true }
      rest = rest[place.upperBound...]
    }
    return false
  }
}
