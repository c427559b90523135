import Experiments
import Paging

/// The lists of one session, read at once over one network: what happens first goes first.
struct SessionGroup {
  private var lists: [Session]
  /// Of what is drawn for each list.
  private let seeds: [UInt64]

  /// Lists that have not begun, at least one; the network of the first is that of all.
  init(_ lists: [Session], seeds: [UInt64]) {
    self.lists = lists
    self.seeds = seeds
  }

  /// Of the first list.
  var timeline: SessionTimeline? { lists[0].timeline }

  /// Runs all lists to their readers' last steps.
  mutating func run() throws(SessionFailure) -> SessionScore {
    if lists.count == 1 { return try lists[0].run() }
    var network = lists[0].network
    while let list = nextList {
      let due = lists[list].nextTime
      if let landing = network.nextTime, due.map({ landing <= $0 }) ?? true {
        for number in network.landed(by: landing) {
          for list in lists.indices {
            try work(list, &network) { list throws(SessionFailure) in try list.land(number, at: landing) }
          }
        }
      } else {
        try work(list, &network) { list throws(SessionFailure) in try list.proceed() }
      }
    }
    return score(network)
  }

  /// Where something happens first; one that waits for the network comes last. Nil when all are over.
  private var nextList: Int? {
    lists.indices.filter { !lists[$0].isOver }.min { one, other in
      guard let time = lists[one].nextTime else { return false }
      return lists[other].nextTime.map { time < $0 } ?? true
    }
  }

  /// Lets a list do something, with the network.
  private mutating func work(
    _ list: Int, _ network: inout NetworkSession,
    _ act: (inout Session) throws(SessionFailure) -> Void
  ) throws(SessionFailure) {
    network.seed = seeds[list]
    swap(&lists[list].network, &network)
    defer { swap(&lists[list].network, &network) }
    let wasOver = lists[list].isOver
    try act(&lists[list])
    if lists[list].isOver, !wasOver { lists[list].abandon() }
  }

  /// All lists together: waits and numbers add up, and the longest counts.
  private func score(_ network: NetworkSession) -> SessionScore {
    var score = lists[0].score
    for other in lists.dropFirst().map(\.score) { score.add(other) }
    score.bytes = network.bytes
    score.energy = network.joules(at: .zero + .seconds(score.duration))
    return score
  }
}
