import ArgumentParser

/// `lookahead new`: a script to start from.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", _superCommandName: Release.name,
    abstract: "Write a script to start from, which runs as it is.",
    discussion: """
      EXAMPLES
        lookahead new source mine
        lookahead new policy policies/eager
        lookahead new experiment compare
        lookahead new workflow join

      A source says where data is, a policy when more of it is fetched; a
      workflow reads several sources; an experiment compares policies. Beside
      the script it writes settings for editors and luacheck where there are
      none: .luarc.json, .luacheckrc and types/lookahead.lua. It overwrites
      nothing.
      """)

  @Argument(help: "What to write.")
  var kind: ScriptTemplate

  @Argument(help: "The new file, with or without .lua.", completion: .directory)
  var name: String

  @Flag(help: "Write the script alone, without settings for editors.")
  var bare = false

  func validate() throws {
    do throws(NewScriptFault) {
      _ = try NewScript(name)
    } catch {
      throw ValidationError("\(error.path): \(error.reason)")
    }
  }

  func run() throws {
    let script = try NewScript(name)
    try script.write(kind.text(name: script.name, file: script.path))
    StandardOutput.show("wrote \(script.path)")
    if !bare {
      for line in try ScriptSurroundings(folder: script.folder).written() { StandardOutput.show(line) }
    }
    StandardOutput.show("next:")
    for command in kind.commands(file: script.path) { StandardOutput.show("  \(command)") }
  }
}
