import ArgumentParser

/// Values for the parameters that a script declares.
struct ParameterOptions: ParsableArguments {
  @Option(
    name: [.customShort("e"), .long],
    help: ArgumentHelp("A parameter of the script.", valueName: "name=value"))
  var param: [String] = []

  @Option(help: "A file of parameters: lines name=value; # starts a comment.", completion: .file())
  var paramsFile: [String] = []

  @Option(help: ArgumentHelp("A parameter that is not shown in messages.", valueName: "name=value"))
  var secret: [String] = []

  /// All values by name; the command line wins over files.
  func values() throws -> [String: String] {
    var values: [String: String] = [:]
    for path in paramsFile {
      for (number, line) in try lines(path).enumerated() {
        let line = trimmed(line)
        guard !line.isEmpty, !line.hasPrefix("#") else { continue }
        let (name, value) = try pair(line, option: "\(path):\(number + 1)")
        values[name] = value
      }
    }
    for text in param { try add(text, "--param", to: &values) }
    for text in secret { try add(text, "--secret", to: &values) }
    return values
  }

  func validate() throws {
    for text in param { _ = try pair(text, option: "--param") }
    for text in secret { _ = try pair(text, option: "--secret") }
  }

  /// The values that are not to be shown.
  var secrets: [String] {
    secret.compactMap { text in text.firstIndex(of: "=").map { String(text[text.index(after: $0)...]) } }
  }

  /// The names that were given with --secret.
  var secretNames: Set<String> {
    Set(secret.compactMap { text in text.firstIndex(of: "=").map { trimmed(text[..<$0]) } })
  }

  private func add(_ text: String, _ option: String, to values: inout [String: String]) throws {
    let (name, value) = try pair(text, option: option)
    values[name] = value
  }

  /// The lines of a file of parameters; an error has been shown when it throws.
  private func lines(_ path: String) throws(RunExit) -> [Substring] {
    do throws(TextFileError) {
      return try TextFile.read(path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    } catch {
      switch error {
      case .unreadable(let reason): standardError("error: --params-file \(path): \(reason)")
      case .notText(let line):
        standardError("error: --params-file \(path):\(line): this is no text (expected UTF-8)")
      }
      throw .noInput
    }
  }

  private func pair(_ text: String, option: String) throws(ValidationError) -> (name: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !trimmed(parts[0]).isEmpty else {
      throw ValidationError(
        "\(option): expected name=value, got '\(option == "--secret" ? String(parts[0]) + (parts.count == 2 ? "=…" : "") : text)'"
      )
    }
    return (trimmed(parts[0]), String(parts[1]))
  }

  /// Without blanks at its ends.
  private func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
