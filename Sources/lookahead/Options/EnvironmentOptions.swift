import ArgumentParser
import Glibc

/// Every long option may also be set as `LOOKAHEAD_…` in the environment; the command line wins.
enum EnvironmentOptions {
  private static let prefix = "LOOKAHEAD_"

  /// The arguments with those of the environment that the subcommand knows and that were not given.
  static func added(to arguments: [String]) throws -> [String] {
    let variables = given()
    guard !variables.isEmpty, let name = arguments.first,
      let command = Lookahead.configuration.subcommands.first(where: { $0._commandName == name })
    else { return arguments }
    let known = options(of: command)
    var added: [String] = []
    for (option, value) in variables.sorted(by: { $0.key < $1.key }) {
      guard let takesValue = known[option] else { continue }
      let isGiven = arguments.contains { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") }
      guard !isGiven else { continue }
      if takesValue {
        added.append("--\(option)=\(value)")
      } else if ["1", "true", "yes"].contains(value.lowercased()) {
        added.append("--\(option)")
      }
    }
    return [name] + added + arguments.dropFirst()
  }

  /// What the environment says, by the options' names.
  private static func given() -> [String: String] {
    var found: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      entry += 1
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, pair[0].hasPrefix(prefix) else { continue }
      found[pair[0].dropFirst(prefix.count).lowercased().split(separator: "_").joined(separator: "-")] =
        String(pair[1])
    }
    return found
  }

  /// The long options of a command, and whether they take a value, as its help shows them.
  private static func options(of command: any ParsableCommand.Type) -> [String: Bool] {
    var options: [String: Bool] = [:]
    let help = command.helpMessage().split(separator: "\n")
    for line in help.drop(while: { !$0.hasPrefix("USAGE:") }) where line.hasPrefix("  -") {
      let words = line.split(separator: " ")
      for (position, word) in words.prefix(4).enumerated() where word.hasPrefix("--") {
        let name = String(word.dropFirst(2).prefix { $0 != "," })
        let next = position + 1 < words.count ? words[position + 1] : ""
        options[name] = next.hasPrefix("<")
      }
    }
    return options
  }
}
