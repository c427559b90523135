/// An attack of a script, a server or an input, what holds it, and the test that shows it: the rows of the manual's table.
struct Defence {
  let attack: String
  let holds: String
  /// Suite and sentence of a test.
  let test: (suite: String, sentence: String)

  init(_ attack: String, _ holds: String, _ suite: String, _ sentence: String) {
    self.attack = attack
    self.holds = holds
    test = (suite, sentence)
  }

  /// In the order of the way in: Lua, the host's memory and time, numbers, the world, secrets, the terminal, outputs, the kernel.
  static let all = language + limits + world + people + kernel

  private static let language = [
    Defence(
      "A value that is no table is handed over as one, to be followed as an address",
      "every access from the host to Lua checks place and type, and a wrong one is an error of the script",
      "BorderTests",
      "no value that is no table is taken for one"),
    Defence(
      "A policy is rewritten after it was declared", "definitions lie where scripts don't reach",
      "ForgeryTests",
      "a policy is what was declared, whatever is written into what a script holds"),
    Defence(
      "Options answer differently the second time (__pairs, __index, __len)",
      "they are read once, without their metatables, and the copy is what is checked and used",
      "ForgeryTests",
      "options are read once, as they are"),
    Defence(
      "Addresses are learned from %p or tostring", "texts of values have a number in the place of an address",
      "AddressTests", "no text shows one"),
    Defence(
      "Files, processes, libraries and Lua's inside by way of its own libraries",
      "they are not in the program",
      "SymbolTests", "Lua's ways to files, processes, libraries and its own inside are not in the program"),
    Defence(
      "A table changes while the host walks it", "the walk ends, and nothing raises through the host",
      "BorderTests",
      "a walk ends where its table was changed under it"),
    Defence(
      "An error is raised through frames of the host", "no such way is in the sources", "RaisingTests",
      "no way leads from Swift to a function that raises"),
    Defence(
      "A task is resumed with a forged answer", "only the host resumes and closes what it has begun",
      "ForgeryTests",
      "a task is resumed by what it waits for and by nothing else"),
  ]

  private static let limits = [
    Defence(
      "A small table becomes an endless text", "texts end at half of the memory that the script has left",
      "AccountTests",
      "a text of what a table holds twice ends at the script's memory"),
    Defence(
      "Bodies are held, and texts made, outside of Lua's memory", "they are on the script's account",
      "AccountTests",
      "what is held elsewhere is held in the script's memory"),
    Defence(
      "A query of SQL without end", "its processor time is the script's, and it is interrupted",
      "DatabaseLimitTests",
      "a query without end stops when the processor time is used up"),
    Defence(
      "Huge values, rows and files, sparse ones too", "answers have a size, checked before memory is taken",
      "FilesLimitTests", "a file of 20 GB without contents is refused before memory is taken for it"),
    Defence(
      "The laboratory works on when the time is over", "sessions are paid by the script", "LabLimitsTests",
      "sessions on other threads are paid for from the same account"),
    Defence(
      "A source reads itself inside its fetch", "handlers are a hundred deep at most", "NestingTests",
      "a source that reads itself inside its fetch is refused by name"),
    Defence(
      "Numbers at the ends of their types, and beyond",
      "one checked border, and no trapping arithmetic behind it",
      "NumberTests", "no number ends the host, and each is taken or refused at its line"),
    Defence(
      "Options of the command line with any value", "one parser for each kind of number", "OptionFuzzTests",
      "no value of an option ends the program by a signal"),
    Defence(
      "Any call with any value", "a fuzzer that asks the description of the API what there is",
      "APIFuzzTests",
      "no call of a script ends the host or passes its limits"),
  ]

  private static let world = [
    Defence(
      "A path is swapped between check and use", "what was opened is checked, by its descriptor",
      "FilesRaceTests",
      "a path that is swapped after the check leads nowhere else"),
    Defence(
      "Pragmas, functions and virtual tables that reach files", "SQL may do what is on a list",
      "DatabaseRulesTests",
      "a pragma that reaches beyond the database is refused"),
    Defence(
      "A writable database gets round --deny-read", "writing a database needs reading it",
      "DatabasePermissionTests",
      "what may not be read is not opened for writing"),
    Defence(
      "A name, a proxy or a translator leads to a denied address",
      "the address is checked before the request is handed on", "PermissionTests",
      "a denied address stays denied behind a proxy, and other addresses are asked through it"),
    Defence(
      "A redirect carries keys to another host", "of the headers of a script, only harmless ones go along",
      "RequestGateRedirectTests", "credentials stay where they were meant to go"),
  ]

  private static let people = [
    Defence(
      "Secrets in JSON, base64, hexadecimal, percent encoding", "all their forms are masked",
      "SecretFormsTests",
      "a secret is masked in base64 wherever it begins and ends"),
    Defence(
      "Escape sequences, OSC 52, bidirectional text", "one writer for all that a person sees",
      "TerminalTextTests",
      "nothing of a hostile script steers a terminal"),
    Defence(
      "Text that is written round that writer", "there is no other door in the sources", "DoorTests",
      "nothing is written round the writer"),
    Defence(
      "Keys and bytes that end the prompt", "the editor is given no more than it can hold", "PromptFuzzTests",
      "no keys and bytes end the prompt"),
    Defence(
      "Closed streams, full disks, pipes without a reader, SIGHUP", "every write is looked at, once",
      "OddOutputTests",
      "a full disk ends with 73"),
  ]

  private static let kernel = [
    Defence(
      "A hole that is not known yet",
      "the process has taken from itself what was not given (Landlock, seccomp)",
      "CageTests", "a hole under default permissions finds no program, no process, no file and no net"),
    Defence(
      "The same in any command", "each enters the cage before the first line of a script", "CageCommandTests",
      "a hole in a script finds nothing, whichever command loads it"),
  ]

  /// What is not defended, plainly.
  static let open = [
    "Patterns that take for ever (string.find): the script is ended after --max-cpu, with the whole process.",
    "Denials below a folder that is granted, and names of hosts: the checks of the host hold them, the kernel doesn't.",
    "UDP and DNS where a host is granted by name; any port where a granted host has none, or where there is a proxy.",
    "Names, sizes and times of files, which the kernel shows beyond what may be read.",
    "What was open before the script began: the output, the recording, the terminal.",
    "The prompt (repl): files and the net stay open in the kernel for what :grant may give later; the checks of the host hold.",
    "Folders of outputs that are databases: SQLite keeps files beside them.",
    "Bodies that are still on their way count when they arrive: many large ones at once can pass --max-memory for a moment.",
    "A kernel without Landlock or seccomp: lookahead doctor tells. Code that is not trusted at all belongs into a machine of its own.",
  ]
}
