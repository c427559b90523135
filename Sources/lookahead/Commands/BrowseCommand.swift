import ArgumentParser
import Terminal

/// `lookahead browse`: an endless list in the terminal.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", _superCommandName: Release.name,
    abstract: "Browse a source: an endless list in the terminal.",
    discussion: """
      EXAMPLES
        lookahead browse feed.lua
        lookahead browse feed.lua --policy remainingTime(2) --record me.jsonl
        lookahead browse feed.lua --script "settle PageDown*9@50ms G settle"

      Arrow and page keys move, g and G go to the start and the end, / searches,
      Enter opens the item, r refreshes, t shows ranges and fetches as they happen,
      p takes another policy, ? lists all keys, q leaves.

      With --script the program types the keys and prints the last screen as text.
      Words are keys (PageDown, Space, Ctrl-C, WheelUp; *9 repeats, @50ms waits
      after each), wait:1s, settle (until everything visible is there), size:80x24,
      or text to type.

      --record FILE also writes what the network did: FILE.latencies for the lab
      (measured:FILE.latencies), FILE.calls with every host call and its answer.
      """)

  @Argument(
    help: "The script; of several sources that it returns the first, or the one that --source names.",
    completion: .scripts)
  var script: String

  @Option(help: "The source to browse, of those that the script returns.")
  var source: String?

  @Option(
    help: "The policy to start with, as remainingTime(2), or a file; by default the source's own.",
    completion: .policies)
  var policy: String?

  @Option(
    help: ArgumentHelp("The most items to hold, where the source doesn't say.", valueName: "items"))
  var maxItems = 10_000

  @Option(help: "Write what is seen and when, as a trace for the lab.")
  var record: String?

  @Option(name: .customLong("script"), help: ArgumentHelp("Keys to type.", valueName: "keys"))
  var keys: String?

  @Option(help: ArgumentHelp("The size of the screen that --script prints.", valueName: "size"))
  var size = "80x24"

  @Flag(help: "Type the keys of --script into the terminal instead of printing the last screen.")
  var live = false

  @Option(help: "Write the totals as JSON to this file; - is standard output.")
  var summary: String?

  @OptionGroup var page: ListenOptions
  @OptionGroup(title: "Parameters") var parameters: ParameterOptions
  @OptionGroup(title: "Limits") var limits: BrowseLimitOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var permissions: PermissionOptions

  func validate() throws {
    try Border.check(maxItems, "--max-items", Border.held)
    if TerminalSize(size) == nil {
      throw ValidationError("--size \(size): expected columns and rows, as 80x24")
    }
    if live, keys == nil { throw ValidationError("--live: expected --script with keys to type") }
    if let keys { _ = try Self.steps(keys) }
    if let policy, !PolicyChoice.isFile(policy) { try Self.check(policy) }
  }

  func run() throws {
    let file = try ScriptFile(script)
    let settings = BrowseSettings(
      source: source, policy: policy, maxItems: maxItems, record: record, steps: try keys.map(Self.steps),
      size: TerminalSize(size) ?? TerminalSize(columns: 80, rows: 24), isLive: live || keys == nil,
      summary: summary, listen: page.listen, parameters: parameters, limits: limits, requests: requests,
      permissions: permissions)
    throw try BrowseSession(file, settings).run()
  }

  private static func check(_ policy: String) throws(ValidationError) {
    var choice = PolicyChoice()
    do throws(PolicyChoice.Fault) { _ = try choice.choose(policy) } catch {
      throw ValidationError("--policy \(policy): \(error.words)")
    }
  }

  private static func steps(_ text: String) throws(ValidationError) -> [KeyStep] {
    do throws(KeyScriptError) {
      return try KeyScript(text).steps
    } catch {
      throw ValidationError("--script \(error.word): expected \(error.expected)")
    }
  }
}
