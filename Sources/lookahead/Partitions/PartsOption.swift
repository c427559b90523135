import ArgumentParser
import Hosting

/// A folder with a part for each partition, in place of one output: what `--parts` asks for.
enum PartsOption {
  static let help: ArgumentHelp =
    "Into a folder: a part for each partition, PARTITION.EPOCH.ndjson, and manifest.json once all are whole."

  /// Fails if something else that is asked for can't be said together with it.
  static func check(_ output: OutputOptions, _ state: StateArguments) throws(ValidationError) {
    guard output.output.hasSuffix("/") else {
      throw ValidationError(
        "--parts: expected a folder, as -o \(output.output == "-" ? "all" : OutputName.shown(output.output))/"
      )
    }
    guard output.format ?? .ndjson == .ndjson, !output.changes else {
      throw ValidationError(
        "--parts: a part has a row of JSON in each line; leave --format and --changes out")
    }
    try refuse("--compress", output.compress != nil, "a part is read by others while it grows")
    try refuse("--no-state", state.noState, "what a part has is what its epochs remember")
    try refuse("--state", state.state != nil, "each part remembers its own")
  }

  /// The same, of what a run may be asked for.
  static func check(_ limits: LimitOptions, refreshes: Bool) throws(ValidationError) {
    try refuse("--limit", limits.limit != nil, "a part is whole, or goes on")
    try refuse("--max-pages", limits.maxPages != nil, "a part is whole, or goes on")
    try refuse("--refresh", refreshes, "run it again, and a new manifest takes the place of the old one")
  }

  private static func refuse(_ option: String, _ isGiven: Bool, _ reason: String) throws(ValidationError) {
    if isGiven { throw ValidationError("--parts and \(option): \(reason)") }
  }
}
