import Experiments
import Paging

/// Which reader meets which network in each session of a block.
///
/// Several readers and several networks are crossed: every reader goes through the networks in turn, each beginning with another one,
/// so that all pairs come up before any does again. Paired ones stay together.
struct SessionMix: Sendable {
  /// The readers, with the names of recorded ones.
  private let readers: Population<NamedWorkload>
  private let networks: Population<NamedNetwork>
  /// By session; empty where there is only one.
  private let readerTurns: [Int32]
  private let networkTurns: [Int32]

  init(
    _ readers: Population<NamedWorkload>, _ networks: Population<NamedNetwork>, isPaired: Bool, sessions: Int
  ) {
    self.readers = readers
    self.networks = networks
    let turns = readers.members.count > 1 ? readers.turns(sessions) : []
    readerTurns = turns
    if networks.members.count == 1 {
      networkTurns = []
    } else if isPaired {
      networkTurns = turns
    } else {
      let order = networks.turns(sessions + readers.members.count)
      var visits = Array(repeating: 0, count: readers.members.count)
      networkTurns = (0..<sessions).map { session in
        let reader = turns.isEmpty ? 0 : Int(turns[session])
        defer { visits[reader] += 1 }
        return order[reader + visits[reader]]
      }
    }
  }

  func workload(of session: Int) -> Workload { readers.members[readerIndex(session)].workload }

  func network(of session: Int) -> NamedNetwork { networks.members[networkIndex(session)] }

  /// The reader's number: a recorded one among several has the same, below zero, in all of its sessions; any other reader is met
  /// once, and has the session's.
  func reader(of session: Int) -> Int {
    let index = readerIndex(session)
    return readers.members.count > 1 && readers.members[index].workload.isRecorded ? -1 - index : session
  }

  /// Whether all sessions are of one recorded reader. Each counts by itself then: they differ by the luck of the network.
  var isOneReader: Bool { readers.members.count == 1 && readers.members[0].workload.isRecorded }

  /// How often readers that were recorded in `browse` went to a place that many items away from what they saw.
  func jumps(beyond reach: Int) -> Int {
    readers.members.reduce(0) { $0 + ($1.workload.trace?.jumps(beyond: reach) ?? 0) }
  }

  /// The names of the recorded readers among several: that of reader −1 first.
  var readerNames: [String] { readers.members.count > 1 ? readers.members.map(\.name) : [] }

  /// The names of the networks, if there are several.
  var networkNames: [String] { networks.members.count > 1 ? networks.members.map(\.name) : [] }

  /// The readers in one line, for the record.
  var readersSummary: String { readers.summary(of: "readers", \.workload.summary) }

  /// The networks in one line, for the record.
  var networksSummary: String { networks.summary(of: "networks", \.network.summary) }

  func networkIndex(_ session: Int) -> Int { networkTurns.isEmpty ? 0 : Int(networkTurns[session]) }

  private func readerIndex(_ session: Int) -> Int { readerTurns.isEmpty ? 0 : Int(readerTurns[session]) }
}

/// A reader of a population.
struct NamedWorkload: Sendable {
  /// Of the file it was recorded in; its text otherwise.
  let name: String
  let workload: Workload
}

/// A network of a population.
struct NamedNetwork: Sendable {
  let name: String
  let network: Network
  let usualLatency: Duration
}
