import ArgumentParser
import Glibc

/// Parameter values from the command line, files and the environment.
struct GivenParameters {
  /// All values by name; the command line wins over files, and --secret over --param.
  private(set) var values: [String: String] = [:]
  /// Values that must not be shown.
  private(set) var secrets: [String] = []
  /// The names that were given with --secret.
  private(set) var secretNames: Set<String> = []
  /// Names from the environment, possibly for another script.
  private(set) var environmentNames: Set<String> = []

  /// Maximum bytes of a secret: keys and certificates are shorter.
  static let longestSecret = 64 << 10

  /// No parameters.
  init() {}

  /// Reads them; an error has been shown when it throws.
  init(_ options: ParameterOptions) throws {
    for path in options.paramsFile {
      for (number, line) in try Self.lines(path).enumerated() {
        let line = line.trimmed
        guard !line.isEmpty, !line.hasPrefix("#") else { continue }
        let (name, value) = try ParameterOptions.pair(line, option: "\(path):\(number + 1)")
        values[name] = value
      }
    }
    for text in options.param {
      let (name, value) = try ParameterOptions.pair(text, option: "--param")
      values[name] = value
      if Self.isOfEnvironment(text, "LOOKAHEAD_PARAM") { environmentNames.insert(name) }
    }
    for text in options.secret {
      let (name, given) = try ParameterOptions.pair(text, option: "--secret")
      let secret = try Self.secret(given, named: name)
      values[name] = secret
      secrets.append(secret)
      secretNames.insert(name)
      if Self.isOfEnvironment(text, "LOOKAHEAD_SECRET") { environmentNames.insert(name) }
    }
  }

  /// Takes secrets out that something else than the script is given.
  mutating func take(_ names: [String]) -> [String: String] {
    let taken = values.filter { names.contains($0.key) && secretNames.contains($0.key) }
    for name in taken.keys {
      values[name] = nil
      secretNames.remove(name)
      environmentNames.remove(name)
    }
    return taken
  }

  private static func isOfEnvironment(_ text: String, _ variable: String) -> Bool {
    getenv(variable).map { String(cString: $0) == text } ?? false
  }

  /// The value of `@FILE`, `env:VARIABLE`, or the text itself; `@@` and `env::` escape a leading `@` and `env:`.
  private static func secret(_ given: String, named name: String) throws -> String {
    if given.hasPrefix("@@") { return String(given.dropFirst()) }
    if given.hasPrefix("env::") { return "env:" + given.dropFirst(5) }
    if given.hasPrefix("@") { return try contents(String(given.dropFirst()), of: name) }
    guard given.hasPrefix("env:") else { return given }
    let variable = String(given.dropFirst(4))
    guard let value = getenv(variable), value.pointee != 0 else {
      throw ValidationError("--secret \(name): the environment has no variable \(variable), or an empty one")
    }
    guard let text = String(validatingCString: value) else {
      throw ValidationError("--secret \(name): the variable \(variable) is no text (expected UTF-8)")
    }
    return text
  }

  /// The text of a file, without a trailing line end.
  private static func contents(_ path: String, of name: String) throws(RunExit) -> String {
    var text: String
    do throws(TextFileError) {
      text = try TextFile.read(path, most: longestSecret)
    } catch {
      standardError("error: --secret \(name): can't read \(path): \(error.reason)")
      throw .noInput
    }
    if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
    guard text.isEmpty else { return text }
    standardError("error: --secret \(name): \(path) is empty")
    throw .noInput
  }

  /// The lines of a file of parameters; an error has been shown when it throws.
  private static func lines(_ path: String) throws(RunExit) -> [Substring] {
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
}
