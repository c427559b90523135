import Testing

@Suite struct ManualTests {
  @Test func `groff has nothing to say of the manual page`() throws {
    let result = try Command.shell("lookahead manual | groff -K utf8 -man -ww -b -z").run()

    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.output == "")
  }

  @Test func `the manual page has every command with its options and examples`() throws {
    let page = try Command.shell("lookahead manual | groff -K utf8 -man -Tutf8 -rLL=200n").run().output
      .replacing(/\u{1B}\[[0-9]*m/, with: "").replacing(/.\u{8}/, with: "").replacing("\u{2212}", with: "-")
    let commands = try Command.lookahead(["--help"]).run().lines.drop { $0 != "SUBCOMMANDS:" }
      .compactMap { $0.wholeMatch(of: #/  ([a-z]+)( .*)?/#).map { String($0.output.1) } }

    #expect(commands.count >= 6)
    for command in commands where command != "help" {
      let help = try Command.lookahead([command, "--help"]).run()
      let options = help.output.matches(of: /(?m)^  .*?(--[a-z-]+)/).map { String($0.output.1) }
      let missing = Set(options).filter { !page.contains($0) && !["--help", "--version"].contains($0) }
      #expect(page.contains("LOOKAHEAD \(command.uppercased())"))
      #expect(missing.isEmpty, "\(command): \(missing)")
      #expect(
        help.lines.filter { $0.hasPrefix("  lookahead \(command)") }.allSatisfy {
          page.contains($0.dropFirst(2))
        })
    }
  }

  @Test func `the manual page is one for a pager`() throws {
    let result = try Command.lookahead(["manual"]).run()

    #expect(result.output.hasPrefix(".TH LOOKAHEAD 1 "))
    #expect(result.output.contains("\n.SH NAME\nlookahead \\- runs Lua scripts"))
    #expect(result.exitCode == 0)
  }

  /// What stands behind an option in the help begins with a capital; in the manual it is a line of its own.
  @Test func `no option is glued to its text`() throws {
    let page = try Command.lookahead(["manual"]).run().lines
    let bold = page.filter { $0.hasPrefix(".B \\-") }

    #expect(bold.count > 100)
    #expect(bold.filter { $0.contains(/[>a-z] [A-Za-z]/) } == [])
    for command in ["run", "get", "repl", "browse", "lab", "check", "new", "types", "doctor"] {
      let options = try Command.lookahead([command, "--help"]).run().lines.filter { $0.hasPrefix("  -") }
      #expect(options.filter { $0.contains(/^ +(?:-\w, )?-[^ ]+(?: <[^>]+>)? [A-Za-z]/) } == [], "\(command)")
    }
  }
}
