public import Items
public import Paging

/// Moves change sets from pending to visible, in order, and runs their expensive work as jobs (Texture 3).
///
/// `pending` is the newest data, in the caller's indices; `visible` is what the reader shows. A change set passes
/// five steps: its elements are gathered from the source and become pending; in its turn, jobs build the new
/// elements, concurrently and in any order; once they are done and all earlier sets are applied, the change goes
/// to the reader; when the reader acknowledges it, the set is visible; its completions are called. Sets are never
/// reordered. The source is queried only during `submit`.
///
///     var controller = DataController<Rows>()
///     var effects = try controller.loadIfNeeded(from: rows)
public struct DataController<Source: ElementSource>: Sendable {
  /// When elements are made.
  public enum Making: String, Sendable, CaseIterable {
    /// All of a set before it becomes visible.
    case everything
    /// On `prepare` or `make`.
    case onDemand
  }

  /// When elements are made.
  public let making: Making
  /// While the reader is busy, ready sets wait and are handed over together.
  public let coalesces: Bool
  /// Whether the reader waits for the work of a set.
  public var processingMode = ProcessingMode.standard
  /// Size of the whole content, as the reader lays it out.
  public var contentSize = Extent.zero
  /// Size of the visible part.
  public var bounds = Extent.zero
  /// The newest data.
  public private(set) var pending = ElementMap<Source>()
  /// What the reader shows.
  public private(set) var visible = ElementMap<Source>()
  /// Whether everything was loaded at least once, and not cleared since.
  public private(set) var isLoaded = false
  private var entries: [Entry] = []
  /// The state of each pending element.
  private var elements: [ElementID: ElementState<Source>] = [:]
  /// Products the reader still shows of elements that were remade by sets it does not show yet.
  private var shownProducts: [ElementID: Source.Product] = [:]
  private var jobs: [JobID: ElementID] = [:]
  private var wishes: TurnQueue<ElementID>
  private var waiters: [(token: Int, revision: Int)] = []
  private var applying: Int?
  private var counters = Counters()

  /// `batchSize` is the maximum number of `prepare` jobs started per turn.
  public init(making: Making = .everything, coalesces: Bool = true, batchSize: Int = 64) {
    self.making = making
    self.coalesces = coalesces
    wishes = TurnQueue(batchSize: batchSize)
  }

  /// Whether a set is in progress; false in the completion of the last one.
  public var isProcessing: Bool { !entries.isEmpty }

  /// The product of an element as the reader shows it; nil if not made.
  public func product(of id: ElementID) -> Source.Product? { shownProducts[id] ?? elements[id]?.product }

  /// The product of a pending element.
  func newestProduct(of id: ElementID) -> Source.Product? { elements[id]?.product }

  /// Items per section that an update starts from: those of pending, or the source's before the first load.
  public func oldCounts(from source: Source) throws -> [Int] {
    isLoaded ? pending.counts : try source.counts()
  }

  /// Submits a batch of edits; the source already has the new data.
  ///
  /// The source is queried for its counts and for new elements. Throws if the counts don't add up or the source fails;
  /// then nothing has changed, and the caller runs its completions. Before the first load edits are dropped and
  /// complete at once: the load includes them.
  public mutating func submit(_ batch: BatchUpdate, from source: Source) throws -> [DataEffect<Source>] {
    guard isLoaded || batch.operations.contains(.reloadData) else {
      return batch.completions.map { .complete($0) }
    }
    var batch = batch
    let paths = try batch.complete(newCounts: source.counts())
    return try gather(paths, from: source, completions: batch.completions)
  }

  /// Submits the difference between pending and the source's current data; an item may move and reload at once.
  ///
  /// Throws if it was made for other counts; then nothing has changed. Before the first load it is dropped, as edits
  /// are.
  public mutating func submit(
    _ paths: PathChanges, from source: Source, completion: Int? = nil
  ) throws -> [DataEffect<Source>] {
    let completions = completion.map { [$0] } ?? []
    guard isLoaded || paths.isReload else { return completions.map { .complete($0) } }
    if isLoaded { try UpdateError.check(paths.oldCounts, against: pending.counts) }
    try UpdateError.check(paths.newCounts, against: source.counts())
    return try gather(paths, from: source, completions: completions)
  }

  private mutating func gather(
    _ paths: PathChanges, from source: Source, completions: [Int]
  ) throws -> [DataEffect<Source>] {
    var gathering = Gathering(counters)
    let change = try gathering.gather(paths, for: self, from: source)
    isLoaded = true
    return enqueue(change, gathering, completions: completions)
  }

  /// Reloads all data.
  public mutating func reloadData(from source: Source, completion: Int? = nil) throws -> [DataEffect<Source>]
  {
    var batch = try BatchUpdate(oldCounts: oldCounts(from: source))
    try batch.submit(.reloadData)
    batch.begin()
    try batch.end(completion: completion)
    return try submit(batch, from: source)
  }

  /// Loads the data unless already loaded; the first read of counts or items triggers it.
  public mutating func loadIfNeeded(from source: Source) throws -> [DataEffect<Source>] {
    isLoaded ? [] : try reloadData(from: source)
  }

  /// Removes everything, as a set of its own; the next load is an initial load again.
  public mutating func clear(completion: Int? = nil) throws -> [DataEffect<Source>] {
    guard isLoaded else { return completion.map { [.complete($0)] } ?? [] }
    var batch = BatchUpdate(oldCounts: pending.counts)
    try batch.submit(.reloadData)
    let paths = try batch.complete(newCounts: [])
    let change = ElementChange<Source>(paths: paths, sections: [], items: [], supplementaries: [:])
    isLoaded = false
    return enqueue(change, Gathering(counters), completions: completion.map { [$0] } ?? [])
  }

  private mutating func enqueue(
    _ change: ElementChange<Source>, _ gathering: Gathering, completions: [Int]
  ) -> [DataEffect<Source>] {
    counters = gathering.counters
    counters.revision += 1
    let effects = cancelJobs(pending.apply(change), adopted: gathering.adopted)
    var entry = Entry(revision: counters.revision, change: change, completions: completions)
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

  /// Queues elements to be made; each `turnEnded` starts a batch of the jobs.
  public mutating func prepare(_ ids: some Sequence<ElementID>) {
    for id in ids where isUnmade(id) { wishes.enqueue(id) }
  }

  /// Ends the turn: starts a batch of the jobs queued by `prepare`.
  public mutating func turnEnded() -> [DataEffect<Source>] {
    var ids: [ElementID] = []
    wishes.turn { id, _ in ids.append(id) }
    return perform(ids.compactMap { startMaking($0) }, isSynchronous: false)
  }

  /// Makes an element now, because the reader needs it.
  public mutating func make(_ id: ElementID) -> [DataEffect<Source>] { make(CollectionOfOne(id)) }

  /// Makes elements now, concurrently, because the reader needs them: starts their jobs, and hurries those already
  /// started.
  public mutating func make(_ ids: some Sequence<ElementID>) -> [DataEffect<Source>] {
    var started: [Job<Source>] = []
    var underWay: [JobID] = []
    for id in ids {
      guard let place = elements.index(forKey: id) else { continue }
      if case .making(let job) = elements.values[place] { underWay.append(job) }
      if let job = startMaking(id, at: place) { started.append(job) }
    }
    return perform(started, isSynchronous: true) + (underWay.isEmpty ? [] : [.hurry(underWay)])
  }

  /// Starts the work of a set; without any it is ready at once.
  private mutating func start(_ index: Int) -> [DataEffect<Source>] {
    let entry = entries[index]
    var started: [Job<Source>] = []
    var awaited: Set<ElementID> = []
    awaited.reserveCapacity(entry.fresh.count)
    for id in entry.fresh {
      guard let place = elements.index(forKey: id), elements.values[place].product == nil else { continue }
      awaited.insert(id)
      if let job = startMaking(id, at: place) { started.append(job) }
    }
    for element in entry.adopted {
      guard let model = element.model, let product = elements[element.id]?.product else { continue }
      awaited.insert(element.id)
      started.append(remake(element.id, product, .adopt(model, product)))
    }
    entries[index].state = awaited.isEmpty ? .ready : .working
    entries[index].awaited = awaited
    return perform(started, isSynchronous: entry.isSynchronous)
  }

  private func isUnmade(_ id: ElementID) -> Bool {
    if case .unmade = elements[id] { true } else { false }
  }

  private mutating func startMaking(_ id: ElementID) -> Job<Source>? {
    elements.index(forKey: id).flatMap { startMaking(id, at: $0) }
  }

  /// The same for an element already looked up.
  private mutating func startMaking(
    _ id: ElementID, at place: Dictionary<ElementID, ElementState<Source>>.Index
  ) -> Job<Source>? {
    guard case .unmade(let factory) = elements.values[place] else { return nil }
    let job = job(id, .make(factory))
    elements.values[place] = .making(job.id)
    return job
  }

  private mutating func remake(
    _ id: ElementID, _ product: Source.Product, _ work: Job<Source>.Work
  ) -> Job<Source> {
    let job = job(id, work)
    elements[id] = .remaking(product, job.id)
    return job
  }

  private mutating func job(_ id: ElementID, _ work: Job<Source>.Work) -> Job<Source> {
    counters.job += 1
    let job = Job<Source>(id: JobID(number: counters.job), element: id, work: work)
    jobs[job.id] = id
    return job
  }

  private func perform(_ jobs: [Job<Source>], isSynchronous: Bool) -> [DataEffect<Source>] {
    jobs.isEmpty ? [] : [.perform(jobs, isSynchronous: isSynchronous)]
  }

  /// Cancels the jobs of elements that are no longer pending.
  ///
  /// A set that inserts one is held back until it can be applied together with the set that removes it, so that no
  /// unmade element is ever shown.
  private mutating func cancelJobs(_ gone: [ElementID], adopted: [Element<Source.Model>]) -> [DataEffect<
    Source
  >] {
    guard !jobs.isEmpty || !entries.isEmpty else { return [] }
    let kept = Set(adopted.map(\.id))
    var lost: Set<ElementID> = []
    var cancelled: [JobID] = []
    for id in gone where !kept.contains(id) {
      guard let place = elements.index(forKey: id) else { continue }
      switch elements.values[place] {
      case .made, .lost: continue
      case .unmade: elements.values[place] = .lost
      case .making(let job):
        elements.values[place] = .lost
        cancelled.append(job)
      case .remaking(let product, let job):
        elements.values[place] = .made(product)
        cancelled.append(job)
      }
      lost.insert(id)
    }
    guard !lost.isEmpty else { return [] }
    for job in cancelled { jobs[job] = nil }
    for index in entries.indices { entries[index].lose(lost, until: counters.revision) }
    return cancelled.isEmpty ? [] : [.cancel(cancelled)]
  }

  /// Handles the product of a job; unknown jobs are ignored.
  public mutating func jobFinished(_ job: JobID, product: Source.Product) -> [DataEffect<Source>] {
    guard let id = jobs.removeValue(forKey: job) else { return [] }
    var old: Source.Product?
    if let place = elements.index(forKey: id) {
      old = elements.values[place].product
      elements.values[place] = .made(product)
    }
    return settle(id) { controller, entry in
      guard let old, old != product else { return }
      if controller.shownProducts[id] == nil { controller.shownProducts[id] = old }
      controller.entries[entry].remade[id] = product
    }
  }

  /// Handles a failed job: its element stays as it was, and its set continues without it.
  public mutating func jobFailed(_ job: JobID) -> [DataEffect<Source>] {
    guard let id = jobs.removeValue(forKey: job) else { return [] }
    if let place = elements.index(forKey: id) {
      elements.values[place] = elements.values[place].product.map { .made($0) } ?? .lost
    }
    return settle(id) { _, _ in }
  }

  /// Stops waiting for an element, after `note` has updated the waiting set.
  private mutating func settle(
    _ id: ElementID, _ note: (inout DataController, _ entry: Int) -> Void
  ) -> [DataEffect<Source>] {
    guard let index = entries.firstIndex(where: { $0.state == .working }),
      entries[index].awaited.remove(id) != nil
    else { return [] }
    note(&self, index)
    guard entries[index].awaited.isEmpty else { return [] }
    entries[index].state = .ready
    return advance()
  }

  /// Handles the reader's acknowledgement of everything up to a revision; unknown revisions are ignored.
  public mutating func readerApplied(_ revision: Int) -> [DataEffect<Source>] {
    guard revision == applying else { return [] }
    applying = nil
    var effects: [DataEffect<Source>] = []
    while let entry = entries.first, entry.revision <= revision {
      entries.removeFirst()
      show(entry.change)
      show(entry.remade)
      effects += entry.completions.map { .complete($0) }
    }
    return effects + advance()
  }

  /// Starts the sets that can start, and sends the ready ones to the reader.
  private mutating func advance() -> [DataEffect<Source>] {
    var effects: [DataEffect<Source>] = []
    start: for index in entries.indices {
      switch entries[index].state {
      case .ready: continue
      case .working: break start
      case .queued:
        effects += start(index)
        if entries[index].state != .ready { break start }
      }
    }
    if applying == nil, let effect = applyToReader() { effects.append(effect) }
    return effects + wakeWaiters()
  }

  /// Nothing while a set is held back for later ones.
  private mutating func applyToReader() -> DataEffect<Source>? {
    var changes: [ElementChange<Source>] = []
    var count = 0
    var heldUntil = 0
    for entry in entries {
      guard entry.state == .ready else { break }
      changes.append(entry.change)
      heldUntil = max(heldUntil, entry.heldUntil)
      guard heldUntil <= entry.revision else { continue }
      (count, applying) = (changes.count, entry.revision)
      guard coalesces else { break }
    }
    return applying.map { .apply(revision: $0, Array(changes.prefix(count))) }
  }

  /// The change is visible; elements that are gone for good are dropped.
  private mutating func show(_ change: ElementChange<Source>) {
    let gone = visible.apply(change)
    guard !gone.isEmpty else { return }
    let kept = Set((change.items + change.sections.flatMap(\.items)).map(\.id))
    for id in gone where !kept.contains(id) {
      elements[id] = nil
      shownProducts[id] = nil
    }
  }

  /// These products are visible, unless a later set has already made newer ones.
  private mutating func show(_ remade: [ElementID: Source.Product]) {
    for (id, product) in remade where elements[id] != nil {
      shownProducts[id] = elements[id]?.product == product ? nil : product
    }
  }

  /// Emits `resume` once everything submitted so far is visible: at once if it is, or if a batch is open.
  public mutating func wait(_ token: Int, isBatchOpen: Bool = false) -> [DataEffect<Source>] {
    guard let last = entries.last, !isBatchOpen else { return [.resume(token)] }
    waiters.append((token, last.revision))
    return []
  }

  private mutating func wakeWaiters() -> [DataEffect<Source>] {
    let next = entries.first?.revision ?? .max
    let awake = waiters.filter { $0.revision < next }.map(\.token)
    waiters.removeAll { $0.revision < next }
    return awake.map { .resume($0) }
  }
}
