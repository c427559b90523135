/// A prompt command: a line that starts with a colon, such as `:doc http.get`.
struct PromptCommand: Sendable {
  /// Without the colon.
  let name: String
  /// Other names of it, without the colon.
  var aliases: [String] = []
  /// Arguments, such as `NAME` or `[N]`; may be empty.
  let usage: String
  /// One line of help.
  let summary: String
  var completes = PromptArgument.nothing
  /// Runs it with its trimmed arguments.
  let run: @Sendable (PromptSession, String) throws(PromptFault) -> Void
}

/// How a command's argument is completed.
enum PromptArgument: Sendable, Equatable {
  case nothing
  /// A file or folder of the person's.
  case file
  /// A name of another command.
  case command
  /// Lua, as anywhere else on the prompt.
  case expression
  /// A name of the API, as `http.get`.
  case documented
  /// A source that the script declares.
  case source
  /// A policy by its name.
  case policy
  case words([String])
}

/// Why a command did nothing, for the user.
struct PromptFault: Error {
  let message: String
  /// What to do instead.
  var hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
