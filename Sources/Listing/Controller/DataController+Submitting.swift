public import Items

extension DataController {
  /// Takes a batch of edits whose data have changed already.
  ///
  /// The source is asked for its counts and for what is new. A batch that does not add up, or a source that
  /// fails, throws; then nothing has changed, and who submitted it tells its completions. Before the first
  /// load edits are dropped and complete at once, for the load will bring them.
  public mutating func submit(_ batch: BatchUpdate, from source: Source) throws -> [DataEffect<Source>] {
    guard isLoaded || batch.operations.contains(.reloadData) else {
      return batch.completions.map { .complete($0) }
    }
    var batch = batch
    let paths = try batch.complete(newCounts: source.counts())
    return try take(paths, from: source, completions: batch.completions)
  }

  /// Takes a difference between pending and the data as they are now, in which items may move and have a new
  /// form at once.
  ///
  /// One between other counts throws, and nothing has changed. Before the first load it is dropped, as edits are.
  public mutating func submit(
    _ paths: PathChanges, from source: Source, completion: Int? = nil
  ) throws -> [DataEffect<Source>] {
    let completions = completion.map { [$0] } ?? []
    guard isLoaded || paths.isReload else { return completions.map { .complete($0) } }
    if isLoaded { try UpdateError.check(paths.oldCounts, against: pending.counts) }
    try UpdateError.check(paths.newCounts, against: source.counts())
    return try take(paths, from: source, completions: completions)
  }

  private mutating func take(
    _ paths: PathChanges, from source: Source, completions: [Int]
  ) throws -> [DataEffect<Source>] {
    var gathering = Gathering(counters)
    let change = try gathering.gather(paths, for: self, from: source)
    isLoaded = true
    return enqueue(change, gathering, completions: completions)
  }

  /// Takes all data anew.
  public mutating func reloadData(from source: Source, completion: Int? = nil) throws -> [DataEffect<Source>]
  {
    var batch = try BatchUpdate(oldCounts: oldCounts(from: source))
    try batch.submit(.reloadData)
    batch.begin()
    try batch.end(completion: completion)
    return try submit(batch, from: source)
  }

  /// Loads the data unless that was done; reading counts or items for the first time calls for it.
  public mutating func loadIfNeeded(from source: Source) throws -> [DataEffect<Source>] {
    isLoaded ? [] : try reloadData(from: source)
  }

  /// Everything goes, as a set of its own; the next load is a first one again.
  public mutating func clear(completion: Int? = nil) throws -> [DataEffect<Source>] {
    guard isLoaded else { return completion.map { [.complete($0)] } ?? [] }
    var batch = BatchUpdate(oldCounts: pending.counts)
    try batch.submit(.reloadData)
    let paths = try batch.complete(newCounts: [])
    let change = ElementChange<Source>(paths: paths, sections: [], items: [], supplementaries: [:])
    isLoaded = false
    return enqueue(change, Gathering(counters), completions: completion.map { [$0] } ?? [])
  }

  mutating func enqueue(
    _ change: ElementChange<Source>, _ gathering: Gathering, completions: [Int]
  ) -> [DataEffect<Source>] {
    counters = gathering.counters
    counters.revision += 1
    let effects = callOff(pending.apply(change), adopted: gathering.adopted)
    var entry = Entry(revision: counters.revision, content: .change(change), completions: completions)
    entry.adopted = gathering.adopted
    if making == .everything { entry.fresh = gathering.fresh.map(\.id) }
    for (id, factory) in gathering.fresh { elements[id] = .unmade(factory) }
    let situation = ProcessingSituation(
      mode: processingMode, isReload: change.paths.isReload,
      asynchronousCount: gathering.asynchronousCount, contentSize: contentSize, bounds: bounds)
    entry.isSynchronous = situation.isSynchronous
    entries.append(entry)
    return effects + advance()
  }
}
