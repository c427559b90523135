import Foundation
import Testing

@Suite(.waiting) struct ManualTests {
  /// The pages in `scripts/manual`, by their names.
  static let pages: [String: String] = {
    let folder = Repository.root.appendingPathComponent("scripts/manual").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, (try? Repository.text("scripts/manual/\($0)")) ?? "") })
  }()

  @Test func `the pages are those of today: lookahead manual --pages scripts/manual writes them`() throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("manual", "--pages", "my manual/pages")

    let folder = "\(scratch.path)/my manual/pages"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(result.exitCode == 0)
    #expect(result.output == "")
    #expect(Self.pages.count > 15)
    #expect(names.sorted() == Self.pages.keys.sorted())
    for name in names {
      #expect(try scratch.text("my manual/pages/\(name)") == Self.pages[name], "\(name)")
    }
  }

  @Test func `the pages have every command with its options`() throws {
    let text = Self.pages.values.joined()
    let commands = try Command.lookahead(["--help"]).run().lines.drop { $0 != "SUBCOMMANDS:" }
      .compactMap { $0.wholeMatch(of: #/  ([a-z]+)( .*)?/#).map { String($0.output.1) } }

    for command in commands where command != "help" {
      let help = try Command.lookahead([command, "--help"]).run()
      let options = help.output.matches(of: /(?m)^  .*?(--[a-z-]+)/).map { String($0.output.1) }
      #expect(Set(options).subtracting(["--help", "--version"]).filter { !text.contains("\($0)") } == [])
    }
  }

  @Test func `every page that a page links to is there`() throws {
    let readme = try Repository.text("README.md")
    let links =
      Self.pages.values.flatMap { $0.matches(of: /\]\(([a-z-]+\.md)\)/).map { String($0.output.1) } }
      + readme.matches(of: /\]\(scripts\/manual\/([a-z-]+\.md)\)/).map { String($0.output.1) }

    #expect(links.count > 30)
    #expect(Set(links).filter { Self.pages[$0] == nil } == [])
  }

  @Test func `a folder that can't be made is named`() throws {
    let scratch = try Scratch()
    try scratch.write("taken", "")

    let result = try scratch.lookahead("manual", "--pages", "taken/pages")

    #expect(result.exitCode == 73)
    #expect(result.errors.hasPrefix("error: can't write taken"))
  }

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
    for command in ["run", "get", "repl", "browse", "lab", "check", "new", "types", "drivers", "doctor"] {
      let options = try Command.lookahead([command, "--help"]).run().lines.filter { $0.hasPrefix("  -") }
      #expect(options.filter { $0.contains(/^ +(?:-\w, )?-[^ ]+(?: <[^>]+>)? [A-Za-z]/) } == [], "\(command)")
    }
  }
}
