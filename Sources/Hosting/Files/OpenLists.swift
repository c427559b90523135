import Paging

/// The lists that stay open between two pages, so that the next one needs no search: the last few that were read. Of those that are
/// read on in even pages, the next one is read before it is asked for.
struct OpenLists {
  /// How the pages of a list are asked for.
  enum Pace {
    case unknown
    /// As many elements as before.
    case even
    /// Others than those that were read ahead: nothing is read ahead any more, as a packed file had to be unpacked from its start again.
    case uneven
  }

  /// A list at the place where its next page begins.
  struct Entry {
    let file: ResolvedPath
    let at: [String]
    let place: FilePlace
    let reader: ListReader
    /// How many elements the page before it had.
    let count: Int
    let pace: Pace
    /// The page behind the place, where it was read already.
    var ahead: Result<FilePage, HostFailure>?

    /// Its pace with a page of so many elements.
    func pace(with count: Int) -> Pace { pace == .uneven ? .uneven : count == self.count ? .even : .unknown }
  }

  private var entries: [Entry] = []

  private static let most = 16
  /// Pages that may be held before they are asked for.
  private static let mostAhead = 4

  private func index(_ file: ResolvedPath, _ at: [String], _ place: FilePlace?, _ count: Int) -> Int? {
    entries.firstIndex { entry in
      entry.place == place && entry.file == file && entry.at == at
        && (entry.ahead == nil || entry.count == count)
    }
  }

  /// Whether the list is open at that place, for the one who reads on so many elements.
  func has(_ file: ResolvedPath, _ at: [String], _ place: FilePlace?, _ count: Int) -> Bool {
    index(file, at, place, count) != nil
  }

  /// The list that is open there, as `has` says.
  mutating func take(_ file: ResolvedPath, _ at: [String], _ place: FilePlace?, _ count: Int) -> Entry {
    entries.remove(at: index(file, at, place, count)!)
  }

  /// Closes the list at that place, of which other pages are asked for than was expected; false if there is none.
  mutating func giveUp(_ file: ResolvedPath, _ at: [String], _ place: FilePlace?) -> Bool {
    let found = entries.firstIndex { $0.place == place && $0.file == file && $0.at == at }
    return found.map { entries.remove(at: $0) } != nil
  }

  /// Keeps a list behind a page of so many elements; the one that was kept for longest may be closed for it.
  mutating func keep(
    _ reader: ListReader, of file: ResolvedPath, _ at: [String], _ place: FilePlace, _ count: Int,
    _ pace: Pace
  ) {
    if entries.count == OpenLists.most { entries.removeFirst() }
    entries.append(Entry(file: file, at: at, place: place, reader: reader, count: count, pace: pace))
  }

  /// Reads the next page of the list that was kept last, if its pages are even.
  mutating func readAhead(_ read: (_ reader: ListReader, _ count: Int) throws(HostFailure) -> FilePage) {
    guard let last = entries.indices.last, entries[last].pace == .even, entries[last].ahead == nil,
      entries.count(where: { $0.ahead != nil }) < OpenLists.mostAhead
    else { return }
    entries[last].ahead = Result { () throws(HostFailure) in
      try read(entries[last].reader, entries[last].count)
    }
  }
}
