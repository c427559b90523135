import ArgumentParser
import Glibc

/// Values for the parameters that a script declares.
struct ParameterOptions: ParsableArguments {
  @Option(name: [.customShort("e"), .long], help: ArgumentHelp("A parameter of the script.", valueName: "name=value"))
  var param: [String] = []

  @Option(help: "A file of parameters: lines name=value; # starts a comment.")
  var paramsFile: [String] = []

  @Option(help: ArgumentHelp("A parameter that is not shown in messages.", valueName: "name=value"))
  var secret: [String] = []

  /// All values by name; the command line wins over files.
  func values() throws -> [String: String] {
    var values: [String: String] = [:]
    for path in paramsFile {
      guard let text = ScriptFile.contents(path) else {
        standardError("error: --params-file \(path): \(String(cString: strerror(errno)))")
        throw RunExit.noInput
      }
      for line in text.split(whereSeparator: \.isNewline) where !line.isBlankOrComment {
        let (name, value) = try pair(String(line), option: "--params-file \(path)")
        values[name] = value
      }
    }
    for text in param { try add(text, "--param", to: &values) }
    for text in secret { try add(text, "--secret", to: &values) }
    return values
  }

  /// The values that are not to be shown.
  var secrets: [String] {
    secret.compactMap { $0.split(separator: "=", maxSplits: 1).last.map(String.init) }.filter { $0.count >= 4 }
  }

  private func add(_ text: String, _ option: String, to values: inout [String: String]) throws {
    let (name, value) = try pair(text, option: option)
    values[name] = value
  }

  private func pair(_ text: String, option: String) throws -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw ValidationError("\(option): expected name=value, got '\(parts[0])'")
    }
    return (parts[0].trimmed, parts.count > 1 ? String(parts[1]) : "")
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  fileprivate var isBlankOrComment: Bool {
    let text = trimmed
    return text.isEmpty || text.hasPrefix("#")
  }
}
