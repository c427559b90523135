import Paging

/// The lists that stay open between two pages, so that the next one needs no search: the last few that were read.
struct OpenLists {
  private struct Entry {
    let file: ResolvedPath
    let at: [String]
    let place: FilePlace
    let reader: ListReader
  }

  private var entries: [Entry] = []

  private static let most = 16

  private func index(_ file: ResolvedPath, _ at: [String], _ place: FilePlace?) -> Int? {
    entries.firstIndex { $0.place == place && $0.file == file && $0.at == at }
  }

  /// Whether the list is open at that place.
  func has(_ file: ResolvedPath, _ at: [String], _ place: FilePlace?) -> Bool {
    index(file, at, place) != nil
  }

  /// The list that is open there, as `has` says, for the one who reads on.
  mutating func take(_ file: ResolvedPath, _ at: [String], _ place: FilePlace?) -> ListReader {
    entries.remove(at: index(file, at, place)!).reader
  }

  /// Keeps a list where it is; the one that was kept for longest may be closed for it.
  mutating func keep(_ reader: ListReader, of file: ResolvedPath, _ at: [String]) {
    if entries.count == OpenLists.most { entries.removeFirst() }
    entries.append(Entry(file: file, at: at, place: reader.place, reader: reader))
  }
}
