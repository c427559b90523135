import ArgumentParser
import Paging
import Scripting

/// How requests are made; these win over the script's own settings.
struct RequestOptions: ParsableArguments {
  @Option(
    name: [.customShort("j"), .long],
    help:
      "Pages in flight where keys can be counted: a number, or auto for as many as the server takes, up to 32 to a host. Without it what the source says (maxInFlight), or else auto in a run, and 4 where a person reads."
  )
  var concurrency: Concurrency?

  @Option(help: "The time that one request may take, as 10s.")
  var timeout: TimeSpan?

  @Option(
    help:
      "How often a request that fails for a passing reason is retried; without it, for 75 s at least and 5 min at most."
  )
  var retries: Int?

  @Option(help: "The longest wait that a server may ask for, as 5m; past it the run ends with exit code 75.")
  var retryMaxWait: TimeSpan?

  @Option(help: "Requests per time, as 10/s.")
  var rate: Rate?

  func validate() throws {
    try Border.check(timeout, "--timeout")
    try Border.check(retries, "--retries", 0...1_000_000)
  }

  /// The settings of one of so many programs that share all rates.
  func overrides(sharedBy count: Int) -> SourceOverrides {
    var overrides = overrides
    overrides.rate = overrides.rate?.shared(by: count)
    overrides.rateShares = count
    return overrides
  }

  var overrides: SourceOverrides {
    var overrides = SourceOverrides()
    overrides.width = concurrency?.width
    overrides.timeout = timeout?.duration
    overrides.retries = retries
    overrides.retryMaxWait = retryMaxWait?.duration
    overrides.rate = rate?.limit
    return overrides
  }
}
