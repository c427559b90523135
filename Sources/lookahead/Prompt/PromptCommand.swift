/// A command of the prompt: a line that begins with a colon, as `:doc http.get`.
struct PromptCommand: Sendable {
  /// Without the colon.
  let name: String
  /// Other names of it, without the colon.
  var aliases: [String] = []
  /// What may follow the name, as `NAME` or `[N]`; empty where nothing may.
  let usage: String
  /// One line of help.
  let summary: String
  var completes = PromptArgument.nothing
  /// Does it, with what stood after the name, without the blanks at its ends.
  let run: @Sendable (PromptSession, String) throws(PromptFault) -> Void
}

/// What is completed behind the name of a command.
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

/// Why a command did nothing, in words for the person.
struct PromptFault: Error {
  let message: String
  /// What to do instead.
  var hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
