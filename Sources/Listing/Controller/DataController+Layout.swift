import Items

extension DataController {
  /// Measures anew everything that is made, behind all sets submitted so far; gives `relaidOut` when done.
  ///
  /// The source is asked for all supplementary elements again: a kind without room goes, one that has room
  /// now comes (Texture 3.8). Before the first load there is nothing to lay out.
  public mutating func relayoutAll(
    from source: Source, completion: Int? = nil
  ) throws -> [DataEffect<Source>] {
    guard isLoaded else { return completion.map { [.complete($0)] } ?? [] }
    var gathering = Gathering(counters)
    let supplementaries = try gathering.supplementaries(of: pending.sections.indices, source)
    let hasAny = (supplementaries.values + pending.sections.map(\.supplementaries)).contains { !$0.isEmpty }
    var effects: [DataEffect<Source>] = []
    if hasAny {
      var batch = BatchUpdate(oldCounts: pending.counts)
      let paths = try batch.complete(newCounts: pending.counts)
      let change = ElementChange<Source>(
        paths: paths, sections: [], items: [], supplementaries: supplementaries)
      effects = enqueue(change, gathering, completions: [])
    }
    return effects + enqueueLayout(nil, completion)
  }

  /// Measures anew those of some elements that are made by then, behind all sets submitted so far.
  public mutating func relayout(
    _ ids: some Sequence<ElementID>, completion: Int? = nil
  ) -> [DataEffect<Source>] {
    enqueueLayout(Set(ids), completion)
  }

  private mutating func enqueueLayout(
    _ ids: Set<ElementID>?, _ completion: Int?
  ) -> [DataEffect<Source>] {
    counters.revision += 1
    let completions = completion.map { [$0] } ?? []
    entries.append(Entry(revision: counters.revision, content: .layout(ids), completions: completions))
    return advance()
  }
}
