import ArgumentParser
import Glibc

/// The command line of Lookahead.
@main
struct Lookahead: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookahead",
    abstract: "Runs Lua scripts that page through data, and fetches ahead of whoever reads.",
    discussion: """
      EXAMPLES
        lookahead run feed.lua -o items.ndjson
        lookahead get https://api.example.com/items --next link -o items.csv --allow-net=api.example.com
        lookahead check feed.lua
      """,
    version: version,
    subcommands: [RunCommand.self, GetCommand.self, CheckCommand.self])

  static let version = "0.1.0"

  /// Parses, runs and exits with a code that says what came of it.
  static func main() {
    setlocale(LC_CTYPE, "")
    Glibc.exit(outcome().rawValue)
  }

  private static func outcome() -> RunExit {
    do {
      let given = OptionalValues.filled(Array(CommandLine.arguments.dropFirst()))
      let arguments = try EnvironmentOptions.added(to: given)
      var command = try parseAsRoot(arguments)
      try command.run()
      return .done
    } catch let exit as RunExit {
      return exit
    } catch let error where exitCode(for: error).isSuccess {
      print(fullMessage(for: error))
      return .done
    } catch {
      standardError(fullMessage(for: error))
      return exitCode(for: error) == .validationFailure ? .usage : .failed
    }
  }
}

/// Writes text to standard error as it is.
func drawOnTerminal(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(STDERR_FILENO, bytes.baseAddress! + rest.startIndex, rest.count)
      if written <= 0 { return }
      rest = rest.dropFirst(written)
    }
  }
}

/// Writes a line to standard error.
func standardError(_ text: String) {
  drawOnTerminal(text.hasSuffix("\n") ? text : text + "\n")
}
