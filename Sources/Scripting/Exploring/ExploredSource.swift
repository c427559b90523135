public import Paging

/// A script's source that is explored at a prompt: how it is read, and who fetches its pages.
public final class ExploredSource {
  /// Its name in the script.
  public let name: String
  /// How it is read: as in a run, except that passed items are kept.
  public let configuration: FeedConfiguration
  let definition: SourceDefinition
  let reader: ExplorationReader

  /// Maximum items held, unless the source says otherwise.
  private static let mostItems = 10_000

  init(
    _ definition: SourceDefinition, maxItems: Int?, reader: ExplorationReader
  ) throws(InvalidConfiguration) {
    name = definition.name
    self.definition = definition
    self.reader = reader
    var options = definition.browsedOptions
    options.maxItems =
      maxItems ?? max(Self.mostItems, options.pageSize + 2 * (options.prefetchDistance ?? 0))
    configuration = try FeedConfiguration(options)
  }
}
