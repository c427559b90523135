import ArgumentParser

/// `lookahead manual`: the manual page.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page: the help of all commands.",
    discussion: """
      EXAMPLES
        lookahead manual | man -l -
        lookahead manual > ~/.local/share/man/man1/lookahead.1
      """)

  func run() { StandardOutput.write(ManualPage(Lookahead.self).text) }
}
