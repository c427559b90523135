public import Paging

/// Pages read in a known order, some of them again, with memory for a few and one fetch under way at a time: the
/// model of Cao, Felten, Karlin and Li (1995), for a reader who scrolls both ways.
///
/// A page that is fetched takes the place of its victim at once. The page being read cannot be a victim.
public struct Revisits: Sendable, Equatable {
  /// Pages in the order in which they are read.
  public let references: [Int]
  /// How long each of them is read, in nanoseconds.
  let work: [Int64]
  /// How long a fetch takes, in nanoseconds.
  let fetch: Int64
  /// Pages that can be held or on their way.
  public let memory: Int
  /// Pages that are held at the start.
  public let held: Set<Int>

  /// A reader of these pages.
  ///
  /// - Throws: where there is no memory, more is held than fits, a time is negative, or times are missing.
  public init(
    references: [Int], reading: PageTimes, fetch: Duration, memory: Int, held: Set<Int> = []
  ) throws(InvalidConfiguration) {
    self.references = references
    work =
      switch reading {
      case .same(let duration): references.map { _ in duration.nanoseconds }
      case .nanoseconds(let each): each
      }
    self.fetch = fetch.nanoseconds
    self.memory = memory
    self.held = held
    if let mistake = firstMistake { throw mistake }
  }

  private var firstMistake: InvalidConfiguration? {
    func mistake(_ option: String, _ value: some Any, _ expected: String) -> InvalidConfiguration {
      InvalidConfiguration(option: option, value: "\(value)", expected: expected)
    }
    let longest = Int64.max / 4 / Int64(references.count + 1)
    if memory < 1 { return mistake("memory", memory, "at least 1 page") }
    if held.count > memory { return mistake("held", held.count, "at most memory, \(memory) pages") }
    if work.count != references.count {
      return mistake("reading", work.count, "a time for each of \(references.count) references")
    }
    for (option, time) in [("fetch", fetch)] + work.map({ ("reading", $0) })
    where time < 0 || time > longest {
      return mistake(option, Double(time) / 1e9, "from 0 to \(longest / 1_000_000_000) seconds")
    }
    return nil
  }

  /// The time of reading without any wait.
  public var readingTime: Duration { .nanoseconds(work.reduce(0, +)) }

  /// The order of references at which each page is read again: for each place, the next place of the same page.
  func nextUse(of page: Int, from place: Int, in places: [Int: [Int]]) -> Int {
    guard let all = places[page] else { return .max }
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < all.count ? all[low] : .max
  }

  /// By page, where it is read, ascending.
  var places: [Int: [Int]] {
    var places: [Int: [Int]] = [:]
    for (place, page) in references.enumerated() { places[page, default: []].append(place) }
    return places
  }
}
