import ArgumentParser
import Glibc
import Hosting
import Terminal

/// The command line of Lookahead.
@main
struct Lookahead: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Release.name,
    abstract: "Runs Lua scripts that page through data, and fetches ahead of the reader.",
    discussion: """
      EXAMPLES
        lookahead new source mine
        lookahead run feed.lua -o items.ndjson
        lookahead get https://example.com/items --next link -o items.csv
        lookahead repl feed.lua
        lookahead browse feed.lua
        lookahead lab --policy leadingScreens --policy remainingTime
        lookahead check feed.lua
      """,
    version: Release.version,
    subcommands: [
      RunCommand.self, ReplCommand.self, BrowseCommand.self, GetCommand.self, LabCommand.self,
      CheckCommand.self, StateCommand.self, PartitionsCommand.self, WorkCommand.self,
      CollectCommand.self, WatchCommand.self, ReportCommand.self,
      NewCommand.self, TypesCommand.self, DriversCommand.self, DoctorCommand.self, ManualCommand.self,
    ])

  /// Parses, runs and exits with a code that reports the outcome.
  static func main() {
    StandardDescriptors.occupy()
    setlocale(LC_CTYPE, "")
    // A file that may not grow is a write error, not a signal that ends the program.
    signal(SIGXFSZ, SIG_IGN)
    SystemShortage.endProcess = { message in
      TerminalDevice.restore()
      standardError("error: \(message)")
      _exit(RunExit.output.rawValue)
    }
    Glibc.exit(StandardOutput.settled(outcome()).rawValue)
  }

  private static func outcome() -> RunExit {
    let given = Array(CommandLine.arguments.dropFirst())
    do {
      if let mistake = GivenArguments.mistake { throw ValidationError(mistake) }
      let arguments = try EnvironmentOptions.added(
        to: OptionalValues.filled(given), of: configuration.subcommands)
      StandardErrors.areJSON = LogOptions.areJSON(in: arguments)
      if let exit = help(on: arguments) { return exit }
      var command = try named(by: arguments) ?? parseAsRoot(arguments)
      try command.run()
      return .done
    } catch let exit as RunExit {
      return exit
    } catch let error where exitCode(for: error).isSuccess {
      StandardOutput.show(fullMessage(for: error, columns: columns))
      return .done
    } catch {
      StandardErrors.show(text(error, of: given))
      return exitCode(for: error) == .validationFailure ? .usage : .failed
    }
  }

  /// The command of the name that comes first, parsed by itself, which takes half the time; nil where it has commands of its own
  /// or is not to be run, which only the whole can say well.
  private static func named(by arguments: [String]) -> (any ParsableCommand)? {
    let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
    guard let named, named.configuration.subcommands.isEmpty,
      let command = try? named.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == named
    else { return nil }
    return command
  }

  /// Shows the chapter that `help` was asked for; nil where it was asked for a command, or nothing was.
  private static func help(on arguments: [String]) -> RunExit? {
    guard arguments.first == "help", let topic = arguments.dropFirst().first, !topic.hasPrefix("-"),
      !commands.contains(topic)
    else { return nil }
    guard let chapter = ManualChapter.named(topic) else {
      standardError("error: \(ManualChapter.unknown(topic, besides: commands))")
      return .usage
    }
    StandardOutput.show(ManualPages(Lookahead.self).text(of: chapter))
    return .done
  }

  private static var commands: [String] {
    ["help"] + configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The width of what is said about commands where the terminal has too little room for it; nil is that of the terminal.
  private static var columns: Int? {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown && size.ws_col < 40 ? 40 : nil
  }

  /// A suggestion, if there is one.
  private static func advice(on arguments: [String], after text: String) -> String? {
    if let advice = CommandAdvice.advice(on: arguments, commands: commands) { return advice }
    return text.contains("nexpected argument") ? OptionalValues.advice(on: arguments) : nil
  }

  /// The error message for a command line.
  private static func text(_ error: any Error, of arguments: [String]) -> String {
    let text = fullMessage(for: error, columns: columns)
    guard text.hasPrefix("Error: ") else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let advice = advice(on: arguments, after: text)
    return
      (["e" + lines[0].dropFirst()] + (advice.map { ["  \($0)"] } ?? []) + lines.dropFirst().map(String.init))
      .joined(separator: "\n")
  }
}
