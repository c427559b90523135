import Testing

/// A script's number becomes one of the host's in one folder; a conversion anywhere else would trap some day.
@Suite struct NumberBorderTests {
  @Test func `integers of a script are taken in Scripting's Numbers only`() {
    let files = Repository.files(below: "Sources/Scripting", endings: ["swift"])
      .filter { !$0.path.contains("/Numbers/") }

    let wrong = files.flatMap { file in
      file.lines.filter(Self.converts).map { "\(file.path): \($0)" }
    }

    #expect(files.count > 100)
    #expect(wrong == [])
  }

  private static func converts(_ line: some StringProtocol) -> Bool {
    let line = String(line)
    return line.contains(#/\bInt(64)?\([^)]*(integer|number)\(at/#)
      || line.contains(#/(integer|number)\(at:[^)]*\)\.map\s*[({]\s*Int/#)
  }
}
