import ArgumentParser
import Scripting

/// `lookahead types`: what editors and luacheck need to know of scripts.
struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types", _superCommandName: Release.name,
    abstract: "Write the editor stubs and linter settings for scripts.",
    discussion: """
      EXAMPLES
        lookahead types
        lookahead types -o feeds
        lookahead types --print stubs > lookahead.lua

      Writes types/lookahead.lua (definitions in the notation of LuaCATS),
      .luarc.json (settings for Lua language servers) and .luacheckrc. Files
      that were changed, or written by something else, stay as they are.
      """)

  /// What can be printed.
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case stubs, luarc, luacheck, table

    var text: String {
      switch self {
      case .stubs: LuaCATSStubs.text
      case .luarc: LuaServerSettings.text
      case .luacheck: LuacheckStandard.text
      case .table: APITable.text
      }
    }
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder to write to; by default the current one.", valueName: "folder"),
    completion: .directory)
  var output = "."

  @Option(
    name: .customLong("print"),
    help: ArgumentHelp(
      "Print one of them instead: stubs, luarc, luacheck; or the API as a table.", valueName: "part"))
  var part: Part?

  @Flag(help: "Overwrite files that were changed, or written by something else.")
  var force = false

  func validate() throws {
    if output.isEmpty { throw ValidationError("-o: expected a folder, got nothing") }
  }

  func run() throws {
    if let part { return StandardOutput.write(part.text) }
    for file in EditorFile.all {
      let path = file.path(in: output)
      switch try file.write(into: output, isForced: force) {
      case .written: StandardOutput.show("wrote \(path)")
      case .upToDate: StandardOutput.show("\(path) is up to date")
      case .left: StandardOutput.show("left \(path) as it is: \(file.advice)")
      }
    }
  }
}
