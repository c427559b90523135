extension DataController {
  /// These elements are in pending no more: what is being made of them is called off.
  ///
  /// A set that was to bring one is held until the reader can be told of it together with the one that takes it
  /// away, so that nothing unmade is ever shown. While a new layout is on its way between sets, which can't be
  /// told together then, all is made.
  mutating func callOff(_ gone: [ElementID], adopted: [Element<Source.Model>]) -> [DataEffect<Source>] {
    guard !jobs.isEmpty || !entries.isEmpty, entries.allSatisfy(\.isChange) else { return [] }
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
}

extension DataController.Entry {
  var isChange: Bool {
    switch content {
    case .change: true
    case .layout: false
    }
  }

  /// Some of these may be what it was to bring.
  mutating func lose(_ lost: Set<ElementID>, until revision: Int) {
    let isConcerned =
      switch state {
      case .ready: false
      case .working: !awaited.isDisjoint(with: lost)
      case .queued: fresh.contains(where: lost.contains)
      }
    guard isConcerned else { return }
    heldUntil = revision
    switch state {
    case .ready: break
    case .working:
      awaited.subtract(lost)
      if awaited.isEmpty { state = .ready }
    case .queued: fresh.removeAll(where: lost.contains)
    }
  }
}
