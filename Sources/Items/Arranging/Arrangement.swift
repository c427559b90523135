/// Where everything in the new sections comes from: the common ground of applying and of merging.
///
/// Made of runs, so that what does not change costs nothing per item.
struct Arrangement: Sendable {
  /// What a run of items is taken from.
  enum Source: Sendable, Equatable {
    /// An old section.
    case old(Int)
    /// One of the numbered lots of items that the change brings.
    case fresh(Int)
  }

  /// Neighbouring items of one source.
  struct Run: Sendable, Equatable {
    var source: Source
    var range: Range<Int>
    /// Of the insertion or the move that brought them.
    var animation = 0

    /// A part of it; the bounds count from its beginning.
    subscript(part: Range<Int>) -> Run {
      let start = range.lowerBound
      return Run(
        source: source, range: start + part.lowerBound..<start + part.upperBound, animation: animation)
    }
  }

  /// One of the new sections.
  struct Section: Sendable {
    /// The old section that it was; nil for one that comes.
    var origin: Int?
    var runs: [Run] = []
    /// Whether it kept its identity but none of its items.
    var isReloaded = false
    var animation = 0

    var count: Int { runs.reduce(0) { $0 + $1.range.count } }
  }

  var sections: [Section]
  /// Items that go, by old indices.
  var removals: [ChangeSet.Removal]
  /// Sections that go, by old indices.
  var sectionRemovals: [SectionPlace]
}

extension Array<Arrangement.Run> {
  /// Adds a run, to the last one where it goes on with it.
  mutating func extend(by run: Arrangement.Run) {
    guard !run.range.isEmpty else { return }
    if let last, last.source == run.source, last.animation == run.animation,
      last.range.upperBound == run.range.lowerBound
    {
      self[count - 1].range = last.range.lowerBound..<run.range.upperBound
    } else {
      append(run)
    }
  }
}
