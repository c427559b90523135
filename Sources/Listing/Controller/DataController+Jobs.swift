extension DataController {
  /// Wishes elements to be made that may not be; the jobs start as turns end, a batch in each.
  public mutating func prepare(_ ids: some Sequence<ElementID>) {
    for id in ids where isUnmade(id) { wishes.enqueue(id) }
  }

  /// The turn is over: starts a batch of the jobs wished for.
  public mutating func turnEnded() -> [DataEffect<Source>] {
    var ids: [ElementID] = []
    wishes.turn { id, _ in ids.append(id) }
    return perform(ids.compactMap { startMaking($0) }, isSynchronous: false)
  }

  /// Makes an element at once, because somebody reads it.
  public mutating func make(_ id: ElementID) -> [DataEffect<Source>] { make(CollectionOfOne(id)) }

  /// Makes elements at once, side by side, because somebody reads them: those that nobody has begun are begun,
  /// and those that are being made are hurried.
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

  /// Starts the work of a set; it is ready at once when there is none.
  mutating func start(_ index: Int) -> [DataEffect<Source>] {
    let entry = entries[index]
    var started: [Job<Source>] = []
    var awaited: Set<ElementID> = []
    switch entry.content {
    case .change:
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
    case .layout(let ids):
      for element in pending.elements where ids?.contains(element.id) ?? true {
        guard case .made(let product) = elements[element.id] else { continue }
        awaited.insert(element.id)
        started.append(remake(element.id, product, .measure(product)))
      }
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

  /// The same for an element that was looked up.
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
}
