import Paging

/// How the sources of a script are read, kept once for all partitions of a source that are read alike.
///
/// What is given out is always equal to what was asked for.
final class SourceTerms {
  private var configurations: [String: FeedConfiguration] = [:]
  private var requests: [String: RequestSettings] = [:]

  /// The checked options: those of the source's newest reading, where they are the same.
  func configuration(
    _ options: FeedConfiguration.Options, of source: String
  ) throws(InvalidConfiguration) -> FeedConfiguration {
    if let known = configurations[source], known.options == options { return known }
    let new = try FeedConfiguration(options)
    // One that goes on has ids of its own, which are not to outlive it.
    if options.beginning == nil { configurations[source] = new }
    return new
  }

  /// The settings: those of the source's newest reading, where they are the same.
  func requests(_ settings: RequestSettings, of source: String) -> RequestSettings {
    if let known = requests[source], known.isSame(as: settings) { return known }
    requests[source] = settings
    return settings
  }
}
