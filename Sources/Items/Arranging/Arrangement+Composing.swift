extension Arrangement {
  /// This change and a later one as one; lots of the later one are numbered from `lotCount` on.
  func followed(by later: Arrangement, lotCount: Int) -> Arrangement {
    var result = Arrangement(sections: [], removals: removals, sectionRemovals: sectionRemovals)
    let indices = sections.map { RunIndex($0.runs) }
    for section in later.sections {
      result.sections.append(compose(section, indices, lotCount))
    }
    for removal in later.removals {
      let gone = indices[removal.section].slice(removal.range)
      result.remove(gone, animation: removal.animation)
    }
    for place in later.sectionRemovals {
      let section = sections[place.section]
      if let origin = section.origin {
        result.sectionRemovals.append(SectionPlace(origin, animation: place.animation))
      }
      let guests = section.runs.filter { section.origin.map(Source.old) != $0.source }
      result.remove(guests, animation: place.animation)
    }
    return result
  }

  private func compose(_ section: Section, _ indices: [RunIndex], _ lotCount: Int) -> Section {
    var result = Section(origin: nil, isReloaded: section.isReloaded, animation: section.animation)
    if let middle = section.origin {
      result.origin = sections[middle].origin
      result.isReloaded = section.isReloaded || sections[middle].isReloaded
      if result.animation == 0 { result.animation = sections[middle].animation }
    }
    for run in section.runs {
      switch run.source {
      case .fresh(let number):
        result.runs.extend(
          by: Run(source: .fresh(lotCount + number), range: run.range, animation: run.animation))
      case .old(let middle):
        for var part in indices[middle].slice(run.range) {
          if run.animation != 0 { part.animation = run.animation }
          result.runs.extend(by: part)
        }
      }
    }
    return result
  }

  /// Counts the old items among these as gone; what was fresh leaves no trace.
  private mutating func remove(_ runs: [Run], animation: Int) {
    for run in runs {
      if case .old(let section) = run.source {
        removals.append(ChangeSet.Removal(section: section, range: run.range, animation: animation))
      }
    }
  }
}

/// Finds the runs behind a range of items.
struct RunIndex {
  private let runs: [Arrangement.Run]
  /// Where each run begins.
  private var starts: [Int] = []

  init(_ runs: [Arrangement.Run]) {
    self.runs = runs
    var start = 0
    for run in runs {
      starts.append(start)
      start += run.range.count
    }
  }

  func slice(_ range: Range<Int>) -> [Arrangement.Run] {
    var result: [Arrangement.Run] = []
    var index = place(of: range.lowerBound)
    while index < runs.count, starts[index] < range.upperBound {
      let whole = starts[index]..<starts[index] + runs[index].range.count
      let part = whole.clamped(to: range)
      result.extend(by: runs[index][part.lowerBound - starts[index]..<part.upperBound - starts[index]])
      index += 1
    }
    return result
  }

  /// The run that holds an item.
  func place(of item: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= item { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
