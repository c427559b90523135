import ArgumentParser

/// What a command that runs a script says on standard error.
struct LogOptions: ParsableArguments {
  enum Level: String, CaseIterable, ExpressibleByArgument {
    case debug, info, warn, error, off
  }

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @Option(help: ArgumentHelp("The lowest level of log lines to show.", valueName: "level"))
  var logLevel = Level.info

  @Option(help: "How log lines are written.")
  var logFormat = Format.text

  @Flag(help: "Begin each line with its time, which log lines as JSON always have.")
  var logTimes = false

  /// Whether these arguments ask for lines as JSON, so that an error in the others is one too.
  static func areJSON(in arguments: [String]) -> Bool {
    let name = "--log-format"
    let last = arguments.indices.last { arguments[$0] == name || arguments[$0].hasPrefix(name + "=") }
    guard let last else { return false }
    return arguments[last] == name
      ? arguments.dropFirst(last + 1).first == "json" : arguments[last] == name + "=json"
  }

  /// Whether lines of the level are shown.
  func shows(_ level: Level) -> Bool {
    let order = Level.allCases
    let least = quiet ? .error : logLevel
    guard let rank = order.firstIndex(of: level), let lowest = order.firstIndex(of: least) else {
      return false
    }
    return rank >= lowest
  }
}
