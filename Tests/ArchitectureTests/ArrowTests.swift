import Testing

@Suite struct ArrowTests {
  @Test func `every target is in the table`() {
    let known = Set(ArrowTable.imports.keys).union(ArrowTable.headers.keys)

    #expect(Set(Repository.targets) == known)
  }

  @Test(arguments: ArrowTable.imports.keys.sorted())
  func `a Swift target imports what the table allows and nothing else`(target: String) {
    let files = Repository.files(below: "Sources/\(target)", endings: ["swift"])

    let wrong = files.flatMap { file in
      file.imports.filter { ArrowTable.imports[target]?.contains($0) != true }.map {
        "\(file.path): import \($0)"
      }
    }

    #expect(!files.isEmpty)
    #expect(wrong == [])
  }

  @Test func `only Lua knows its C targets, and it does`() {
    let users = Repository.targets.filter { target in
      let imports = Repository.files(below: "Sources/\(target)", endings: ["swift"]).flatMap(\.imports)
      return imports.contains("CLua") && imports.contains("CLuaJSON")
    }

    #expect(users == ["Lua"])
  }

  @Test(arguments: ArrowTable.headers.keys.sorted())
  func `a C target includes its own headers and those of its libraries`(target: String) {
    let files = Repository.files(below: "Sources/\(target)", endings: ["c", "cpp", "h", "hpp"])
    let own = Set(files.compactMap { $0.path.split(separator: "/").last.map { "\"\($0)\"" } })
    let allowed = ArrowTable.languageHeaders.union(ArrowTable.headers[target] ?? [])

    let wrong = files.flatMap { file in
      file.includes.filter { include in
        let folder = include.dropFirst().prefix { $0 != "/" && $0 != ">" }
        return include.hasPrefix("<") ? !allowed.contains(String(folder)) : !own.contains(include)
      }.map { "\(file.path): #include \($0)" }
    }

    #expect(!files.isEmpty)
    #expect(wrong == [])
  }

  @Test(arguments: ["Items", "Paging", "Experiments", "Reports"])
  func `a pure target knows no clock, no thread and no chance`(target: String) {
    let files = Repository.files(below: "Sources/\(target)", endings: ["swift"])
    let impure = [
      "Date()", "Clock()", "Clock.now", "Task {", "Task.", " await ", " async ", "Mutex", "Atomic",
      "nonisolated(unsafe)",
      "SystemRandomNumberGenerator", ".random(in", ".shuffled()", "readLine(", " print(",
    ]

    let wrong = files.flatMap { file in
      impure.flatMap { word in file.lines(holding: word).map { "\(file.path):\($0): \(word)" } }
    }

    #expect(!files.isEmpty)
    #expect(wrong == [])
  }

  @Test func `no test reaches into a target`() {
    let files = Repository.files(below: "Tests", endings: ["swift"])
    let forbidden = "@" + "testable"

    let wrong = files.flatMap { file in file.lines(holding: forbidden).map { "\(file.path):\($0)" } }

    #expect(files.count > 20)
    #expect(wrong == [])
  }
}
