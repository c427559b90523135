import ArgumentParser
import Scripting

/// Reading the sources again, to keep the output up to date.
struct RefreshOptions: ParsableArguments {
  @Option(
    help: "The time between two readings of the sources, as 30s; each delivers what changed.")
  var refresh: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "Stop after reading them again this many times; without it, an interrupt ends the run.",
      valueName: "times"
    ))
  var refreshes: Int?

  /// When the sources are read again; nil is never.
  var rule: RefreshRule? { refresh.map { RefreshRule(every: $0.duration, times: refreshes) } }

  func validate() throws {
    try Border.check(refresh, "--refresh")
    try Border.check(refreshes, "--refreshes", Border.counts)
    if refreshes != nil && refresh == nil {
      throw ValidationError("--refreshes: say how long to wait between them, as --refresh 30s")
    }
  }

  /// A truncated reading can't be compared.
  func validate(with limits: LimitOptions) throws {
    guard refresh != nil else { return }
    let option = limits.maxPages != nil ? "--max-pages" : limits.limit != nil ? "--limit" : nil
    guard let option else { return }
    throw ValidationError(
      "--refresh and \(option): a source has to be read to its end to tell what changed")
  }
}
