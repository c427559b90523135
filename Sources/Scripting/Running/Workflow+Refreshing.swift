import Items
import Lua
import Paging

/// Sources that are read again and again: their readings follow each other, with pauses between them.
extension Workflow {
  /// How a source is read by that reader: one that is read again keeps its items, to tell what differs.
  func configuration(
    of definition: SourceDefinition, for kind: FeedReader.Kind
  ) throws(InvalidConfiguration) -> FeedConfiguration {
    guard case .sink = kind, options.refresh != nil else { return definition.configuration }
    var options = definition.configuration.options
    options.releasesPassedItems = false
    options.refreshExtent = .everything
    return try FeedConfiguration(options)
  }

  /// Something to read again has to be there.
  func refuseToRefreshNothing() throws(LuaError) {
    let isRefreshing = readers.values.contains { ($0 as? FeedReader)?.refreshing != nil }
    guard options.refresh != nil, !isRefreshing else { return }
    throw LuaError(
      .runtime,
      "--refresh: the script returns no source to read again (return a source, or a list of them)",
      code: "usage")
  }

  /// A reading has come to its end, or could not. When the sink has taken it, the pause before the next begins.
  ///
  /// Without a first reading there is nothing to keep, so its failure is the run's; a later one is tried again.
  func readingEnded(_ reader: FeedReader, _ ending: FeedReader.Ending) {
    guard var refreshing = reader.refreshing else { return }
    if refreshing.isReading {
      let isFirst = refreshing.isFirst
      switch ending {
      case .failed(let error) where isFirst: return fail(error)
      case .failed(let error): refreshing.end(error)
      case .exhausted:
        refreshing.end(nil)
        if !isFirst { statistics.refreshes += 1 }
      }
      reader.refreshing = refreshing
      if let error = refreshing.failure, !refreshing.isLast { warn(error, of: reader, refreshing) }
    }
    if refreshing.isLast { return leave(reader, refreshing.failure) }
    guard reader.feed.appliedRevision == reader.feed.revision else { return }
    reader.refreshing?.rest(from: now)
    let areAllTaken = readers.values.allSatisfy { ($0 as? FeedReader)?.refreshing?.isFirstTaken != false }
    guard areAllTaken, !areFirstReadingsTaken, coverage.missing == 0 else { return }
    areFirstReadingsTaken = true
    options.firstReadingsTaken()
  }

  /// Begins the readings whose time has come.
  func readAgain() {
    for reader in readers.values.sorted(by: { $0.id < $1.id }) {
      guard let reader = reader as? FeedReader, let due = reader.readAgainAt, due <= now else { continue }
      reader.refreshing?.begin()
      reader.startOver()
      tell(reader, .refreshed(.start))
    }
  }

  /// Closes a source after its last reading; if that failed, the run has failed, once the others are through too.
  private func leave(_ reader: FeedReader, _ failure: LuaError?) {
    close(reader)
    lastFailure = lastFailure ?? failure
    let isOver = !readers.values.contains { ($0 as? FeedReader)?.refreshing != nil }
    if isOver, let lastFailure { fail(lastFailure) }
  }

  private func warn(_ error: LuaError, of reader: FeedReader, _ refreshing: Refreshing) {
    options.observe(
      .logged(
        level: "warn", message: "a refresh failed: what was read before stays",
        fields: [
          ("source", .string(reader.name)), ("reason", .string(error.message)),
          ("seconds", .number(refreshing.pause.inSeconds)),
        ]))
  }
}
