import Testing

@Suite struct HabitTests {
  private static let code = ["Sources", "Tests", "Benchmarks"].flatMap {
    Repository.files(below: $0, endings: ["swift", "c", "cpp", "h", "hpp", "lua", "py", "sh"])
  }

  private static let swift = code.filter { $0.path.hasSuffix(".swift") }

  @Test func `no file is longer than 400 lines`() {
    let long = Self.code.filter { $0.lines.count > 400 }.map { "\($0.path): \($0.lines.count) lines" }

    #expect(long == [])
  }

  @Test(arguments: ["// MARK", "TO" + "DO", "FIX" + "ME"])
  func `no file has marks for later`(mark: String) {
    let wrong = Self.code.flatMap { file in file.lines(holding: mark).map { "\(file.path):\($0)" } }
      .filter { !$0.hasPrefix("Tests/ArchitectureTests/") }

    #expect(wrong == [])
  }

  @Test func `what is not public is private or the target's`() {
    let word = "file" + "private "
    let wrong = Self.swift.filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
      file.lines(holding: word).map { "\(file.path):\($0)" }
    }

    #expect(wrong == [])
  }

  @Test func `nothing is open`() {
    let wrong = Self.swift.flatMap { file in
      file.lines.indices.filter { line in
        let words = file.lines[line].split(separator: " ")
        return words.first == "open"
          && ["class", "func", "var", "override"].contains(words.dropFirst().first)
      }.map { "\(file.path):\($0 + 1)" }
    }

    #expect(wrong == [])
  }

  @Test func `every public type has a sentence above it`() {
    let files = Self.swift.filter { $0.path.hasPrefix("Sources/") }

    let bare = files.flatMap { file in
      file.lines.indices.filter { isBarePublicType(file.lines, at: $0) }.map { "\(file.path):\($0 + 1)" }
    }

    #expect(bare == [])
  }

  /// A public type with no comment above it or its attributes.
  private func isBarePublicType(_ lines: [String], at line: Int) -> Bool {
    let words = lines[line].split(separator: " ")
    guard words.first == "public",
      let kind = words.dropFirst().first(where: { $0 != "final" && $0 != "indirect" }),
      ["struct", "class", "enum", "protocol", "actor", "typealias"].contains(kind)
    else { return false }
    var above = line - 1
    while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
    return above < 0 || !lines[above].drop(while: { $0 == " " }).hasPrefix("///")
  }
}
