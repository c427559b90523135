/// Runs the commands at a prompt without a terminal, with the script and with no history or init file of anybody's.
func explore(
  _ commands: [String], _ script: String = Scripts.numbers, in scratch: Scratch? = nil
) throws -> CommandResult {
  let scratch = try scratch ?? Scratch()
  try scratch.write("feed.lua", script)
  var command = Command.lookahead(["repl", "feed.lua"]).within(scratch)
  command.environment = ["XDG_CONFIG_HOME": scratch.path, "XDG_STATE_HOME": scratch.path, "COLUMNS": "100"]
  command.input = commands.joined(separator: "\n") + "\n"
  return try command.run()
}
