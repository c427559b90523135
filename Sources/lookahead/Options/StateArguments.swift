public import ArgumentParser
import Hosting
public import Paging

/// What is remembered of an output, and what a new reading does to it.
struct StateArguments: ParsableArguments {
  @Flag(help: "Begin anew where a run that was stopped could go on.")
  var fresh = false

  @Flag(help: "Remember nothing: a run that is stopped can't go on.")
  var noState = false

  @Option(
    help: ArgumentHelp(
      "Where to remember how far a text or standard output has come (default: FILE.state; standard output: nowhere).",
      valueName: "file"), completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp(
      "What a new reading does to what is there: merge (update by id, remove nothing; the default), mirror (also remove what the source no longer has), append (keep all readings).",
      valueName: "merge|mirror|append"))
  var write: WriteMode?

  @Flag(help: "Add what is read to what is there: --write append.")
  var append = false

  /// What a reading does to earlier ones, where it was asked for.
  var writeMode: WriteMode? { append ? .append : write }

  func validate() throws {
    if append, let write, write != .append {
      throw ValidationError("--append and --write \(write.rawValue): say one of them")
    }
    if fresh && noState {
      throw ValidationError("--fresh and --no-state: without state there is nothing to begin anew from")
    }
    if let write = writeMode, write != .merge, noState {
      throw ValidationError(
        "\(append ? "--append" : "--write \(write.rawValue)") and --no-state: what a reading does to earlier ones has to be remembered"
      )
    }
    if state != nil && noState { throw ValidationError("--state and --no-state: say one of them") }
    if let state, state.isEmpty || StandardStream(path: state) != nil {
      throw ValidationError("--state: expected a file")
    }
  }

  /// For a run of the script.
  func options(isRefreshing: Bool) -> Hosting.StateOptions {
    var options = Hosting.StateOptions()
    options.isKept = !noState
    options.path = state
    options.isFresh = fresh
    options.write = writeMode
    options.isRefreshing = isRefreshing
    return options
  }
}

extension WriteMode: ExpressibleByArgument {}
