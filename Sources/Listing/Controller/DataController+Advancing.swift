extension DataController {
  /// A job is done. Answers of unknown jobs are ignored.
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

  /// A job could not be done: its element stays unmade for good, or as it was; its set goes on without it.
  public mutating func jobFailed(_ job: JobID) -> [DataEffect<Source>] {
    guard let id = jobs.removeValue(forKey: job) else { return [] }
    if let place = elements.index(forKey: id) {
      elements.values[place] = elements.values[place].product.map { .made($0) } ?? .lost
    }
    return settle(id) { _, _ in }
  }

  /// The set that waited for an element does so no more, once `note` was told of the set.
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

  /// The reader shows everything up to a revision; what it was not told is ignored.
  public mutating func readerApplied(_ revision: Int) -> [DataEffect<Source>] {
    guard revision == applying else { return [] }
    applying = nil
    var effects: [DataEffect<Source>] = []
    while let entry = entries.first, entry.revision <= revision {
      entries.removeFirst()
      if case .change(let change) = entry.content { show(change) }
      show(entry.remade)
      effects += entry.completions.map { .complete($0) }
    }
    return effects + advance()
  }

  /// Starts what can start, and tells the reader what is ready.
  mutating func advance() -> [DataEffect<Source>] {
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
    while applying == nil, let first = entries.first, first.state == .ready {
      switch first.content {
      case .change:
        guard let told = tellReader() else { return effects + wakeWaiters() }
        effects.append(told)
      case .layout:
        entries.removeFirst()
        show(first.remade)
        effects.append(.relaidOut(first.remade.keys.sorted()))
        effects += first.completions.map { .complete($0) }
      }
    }
    return effects + wakeWaiters()
  }

  /// Nothing while a set is held that the next ones complete.
  private mutating func tellReader() -> DataEffect<Source>? {
    var changes: [ElementChange<Source>] = []
    var told = 0
    var heldUntil = 0
    for entry in entries {
      guard entry.state == .ready, case .change(let change) = entry.content else { break }
      changes.append(change)
      heldUntil = max(heldUntil, entry.heldUntil)
      guard heldUntil <= entry.revision else { continue }
      (told, applying) = (changes.count, entry.revision)
      guard coalesces else { break }
    }
    return applying.map { .apply(revision: $0, Array(changes.prefix(told))) }
  }

  /// The change is visible; what is gone for good is forgotten.
  private mutating func show(_ change: ElementChange<Source>) {
    let gone = visible.apply(change)
    guard !gone.isEmpty else { return }
    let kept = Set((change.items + change.sections.flatMap(\.items)).map(\.id))
    for id in gone where !kept.contains(id) {
      elements[id] = nil
      shownProducts[id] = nil
    }
  }

  /// These products are visible; where a later set has made a newer one already, that still waits.
  private mutating func show(_ remade: [ElementID: Source.Product]) {
    for (id, product) in remade where elements[id] != nil {
      shownProducts[id] = elements[id]?.product == product ? nil : product
    }
  }
}

extension DataController {
  /// Gives `resume` when everything submitted so far is visible; at once when it is, or while a batch is open.
  public mutating func wait(_ token: Int, isBatchOpen: Bool = false) -> [DataEffect<Source>] {
    guard let last = entries.last, !isBatchOpen else { return [.resume(token)] }
    waiters.append((token, last.revision))
    return []
  }

  /// Gives `resume` when nothing is on its way any more; later sets delay it.
  public mutating func whenFinishedProcessing(_ token: Int) -> [DataEffect<Source>] {
    guard isProcessing else { return [.resume(token)] }
    quietWaiters.append(token)
    return []
  }

  private mutating func wakeWaiters() -> [DataEffect<Source>] {
    let next = entries.first?.revision ?? .max
    var awake = waiters.filter { $0.revision < next }.map(\.token)
    waiters.removeAll { $0.revision < next }
    if entries.isEmpty {
      awake += quietWaiters
      quietWaiters = []
    }
    return awake.map { .resume($0) }
  }
}
