import ArgumentParser

/// Values for the parameters that a script declares.
struct ParameterOptions: ParsableArguments {
  @Option(
    name: [.customShort("e"), .long],
    help: ArgumentHelp("A parameter of the script.", valueName: "name=value"))
  var param: [String] = []

  @Option(help: "A file of parameters: lines name=value; # starts a comment.", completion: .file())
  var paramsFile: [String] = []

  @Option(
    help: ArgumentHelp(
      "A parameter that no message shows: name=@FILE or name=env:VARIABLE says where to find it; given as name=value, other users see it in the list of processes.",
      valueName: "name=@file|env:variable|value"))
  var secret: [String] = []

  func validate() throws {
    for text in param { _ = try Self.pair(text, option: "--param") }
    for text in secret { _ = try Self.pair(text, option: "--secret") }
  }

  /// The name and value of `name=value`; errors do not repeat possible secrets.
  static func pair(
    _ text: some StringProtocol, option: String
  ) throws(ValidationError) -> (name: String, value: String) {
    let parts = String(text).unicodeScalars.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false
    ).map { String($0) }
    guard parts.count == 2, !parts[0].trimmed.isEmpty else {
      let got = option == "--secret" ? (parts.count == 2 ? "'=…'" : "a text without =") : "'\(text)'"
      throw ValidationError("\(option): expected name=value, got \(got)")
    }
    return (parts[0].trimmed, parts[1])
  }
}

/// Secrets of a command that runs no script, for the address of its output.
struct SecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A secret that the address of a server names in braces, as postgresql://user:{name}@host/db.",
      valueName: "name=@file|env:variable|value"))
  var secret: [String] = []

  func validate() throws {
    for text in secret { _ = try ParameterOptions.pair(text, option: "--secret") }
  }

  /// The secrets by their names; an error has been shown when it throws.
  var values: [String: String] {
    get throws {
      try GivenParameters(try ParameterOptions.parse(secret.flatMap { ["--secret", $0] })).values
    }
  }
}

extension StringProtocol {
  /// Without blanks at its ends.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
