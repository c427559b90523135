import Testing

/// A database that a second process holds while a run needs it.
@Suite(.waiting) struct LockedDatabaseTests {
  /// Says when it holds the file's write lock, and lets go after some seconds.
  private static let holder = """
    import sqlite3, sys, time
    database = sqlite3.connect(sys.argv[1], isolation_level=None)
    database.execute("CREATE TABLE IF NOT EXISTS held (a)")
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO held VALUES (1)")
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
    database.execute("COMMIT")
    """

  private static let writing = """
    local db = lookahead.sqlite.open("a.db", { readOnly = false })
    db:execute("INSERT INTO held VALUES (2)")
    lookahead.emit { id = 1 }
    """

  /// Runs a script while another process holds `a.db` for that long.
  private func run(_ script: String, _ arguments: String, heldFor seconds: Double) throws -> CommandResult {
    let scratch = try Scratch(script: script)
    try scratch.write("hold.py", Self.holder)
    return try scratch.shell(
      """
      mkfifo ready
      python3 hold.py a.db \(seconds) > ready & holder=$!
      read line < ready
      lookahead run feed.lua \(arguments)
      code=$?
      kill $holder 2> /dev/null
      exit $code
      """)
  }

  @Test(arguments: ["--allow-write=a.db", "--allow-write=. -o a.db"])
  func `a database that another process holds for a second is waited for`(options: String) throws {
    let isOutput = options.hasSuffix("a.db") && options.contains("-o")
    let result = try run(isOutput ? "lookahead.emit { id = 1 }" : Self.writing, options, heldFor: 1)

    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `a script's database that another process never lets go is a passing fault`() throws {
    let result = try run(Self.writing, "--allow-write=a.db", heldFor: 40)

    #expect(result.exitCode == 75)
    #expect(
      result.errors.contains(
        "a.db: database is locked: another process holds it, and has not let go of it in time"),
      "\(result.errors)")
    #expect(result.errors.contains("This may pass: run it again later."))
  }

  @Test func `an output that another process never lets go is a passing fault too`() throws {
    let result = try run("lookahead.emit { id = 1 }", "-o a.db", heldFor: 40)

    #expect(result.exitCode == 75)
    #expect(
      result.errors.contains(
        "a.db: database is locked: another process holds it, and has not let go of it in time"),
      "\(result.errors)")
  }
}
