import ArgumentParser
import Glibc
import Scripting

/// Options with an optional value: `--allow-net` alone allows every host, `--allow-net=a,b` these two.
enum OptionalValues {
  private static let names = Set(
    ["net", "read", "write", "env"].flatMap { ["--allow-\($0)", "--deny-\($0)"] } + ["--preview"])
  private static let defaults = ["--preview": "20"]

  /// The arguments with omitted values filled in, and with negative values joined to their options: a parser would read
  /// `-1s` after `--refresh` as one-letter options.
  static func filled(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var filled: [String] = []
    for (place, argument) in arguments.enumerated() {
      if place < end, isNegative(argument), let last = filled.last, isLongOption(last) {
        filled[filled.count - 1] = "\(last)=\(argument)"
      } else {
        filled.append(names.contains(argument) ? "\(argument)=\(defaults[argument] ?? "*")" : argument)
      }
    }
    return filled
  }

  private static func isLongOption(_ argument: String) -> Bool {
    argument.hasPrefix("--") && argument.count > 2 && !argument.contains("=")
  }

  /// A minus before a digit, or before a point and one.
  private static func isNegative(_ argument: String) -> Bool {
    guard argument.first == "-" else { return false }
    let rest = argument.dropFirst()
    return (rest.first == "." ? rest.dropFirst() : rest).first?.isNumber == true
  }

  /// A suggestion if the value of such an option was given after a space; nil otherwise.
  static func advice(on arguments: [String]) -> String? {
    guard let place = arguments.indices.dropLast().last(where: { isFollowed(arguments, $0) }) else {
      return nil
    }
    return "write \(arguments[place])=\(arguments[place + 1]): the value of \(arguments[place]) comes after ="
  }

  private static func isFollowed(_ arguments: [String], _ place: Int) -> Bool {
    names.contains(arguments[place]) && !arguments[place + 1].hasPrefix("-")
  }
}

/// Arguments as the shell has given them.
enum GivenArguments {
  /// Says which of them is no text: what would stand for its bytes would stand for others too, as in the name of a file.
  static var mistake: String? {
    for place in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[place], String(validatingCString: bytes) == nil else {
        continue
      }
      let option = CommandLine.arguments[place - 1]
      let names = [option.hasPrefix("-") ? option : nil, name(in: CommandLine.arguments[place])]
      let shown = names.compactMap(\.self).joined(separator: " ")
      return
        "argument \(place)\(shown.isEmpty ? "" : " (\(shown))") is no text: expected UTF-8, as its bytes would be "
        + "taken for others"
    }
    return nil
  }

  /// What stands before the value, which may be a secret.
  private static func name(in argument: String) -> String? {
    argument.firstIndex(of: "=").map { "\(argument[..<$0])=…" }
  }
}

/// Every long option can also be set as `LOOKAHEAD_…` in the environment; the command line wins.
enum EnvironmentOptions {
  private static let prefix = "LOOKAHEAD_"

  /// The arguments plus those from the environment that the subcommand knows and that were not given.
  static func added(to arguments: [String], of commands: [any ParsableCommand.Type]) throws -> [String] {
    let variables = try given()
    guard !variables.isEmpty, let name = arguments.first,
      let command = commands.first(where: { $0._commandName == name })
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
  private static func given() throws -> [String: String] {
    var found: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      entry += 1
      guard strncmp(text, prefix, prefix.utf8.count) == 0 else { continue }
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard String(validatingCString: text) != nil else {
        throw ValidationError("the variable \(pair[0]) is no text (expected UTF-8)")
      }
      guard pair.count == 2 else { continue }
      found[pair[0].dropFirst(prefix.count).lowercased().split(separator: "_").joined(separator: "-")] =
        String(pair[1])
    }
    return found
  }

  /// The long options of a command, and whether they take a value, as its help shows them.
  private static func options(of command: any ParsableCommand.Type) -> [String: Bool] {
    var options: [String: Bool] = [:]
    let help = command.helpMessage(columns: 100).split(separator: "\n")
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

/// Suggestions for an unknown command.
enum CommandAdvice {
  /// A suggestion: the nearest command, or how to run an existing script; nil if neither is near.
  static func advice(on arguments: [String], commands: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first) else { return nil }
    if let nearest = NearestName.of(first, in: commands) { return "did you mean `lookahead \(nearest)`?" }
    return isFile(first) ? "try `lookahead run \(shown(arguments).joined(separator: " "))`" : nil
  }

  /// The arguments without secrets.
  private static func shown(_ arguments: [String]) -> [String] {
    arguments.indices.map { place in
      if arguments[place].hasPrefix("--secret=") { return "--secret=…" }
      return place > 0 && arguments[place - 1] == "--secret" ? "…" : arguments[place]
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
