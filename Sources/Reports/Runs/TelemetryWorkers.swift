import Paging

/// The workers of a run that several processes do, what each of them reads, and the gates that they ask.
struct TelemetryWorkers: Sendable {
  struct Worker: Sendable {
    let name: String
    var machine: String
    var counts = WorkerCounts()
    /// Partitions that it reads, by `Known`'s key.
    var reading: Set<Int> = []
    var done = 0
    /// When it gave the last sign of life.
    var heardAt: Double
    /// Why it is gone; nil while it is there.
    var reason: String?
  }

  struct Gate: Sendable {
    let host: String
    var standing = GateStanding()
    var closedUntil = 0.0
  }

  /// A partition that was told of.
  private struct Known: Sendable {
    let place: Int
    let source: Int
    /// Items that were there before this run; nil until it has begun.
    var before: Int?
    var items = 0
    /// The worker that reads it.
    var worker: String?
  }

  /// Those that are gone and are shown all the same.
  private static let mostGone = 20
  private static let mostGates = 200
  private static let mostSources = 200
  /// Items of a source: the sums of all sources are numbers yet, whatever is told.
  private static let mostItems = 1 << 50

  private(set) var workers: [String: Worker] = [:]
  /// The last ones that are gone, oldest first.
  private(set) var gone: [Worker] = []
  private(set) var goneCount = 0
  /// Of those that are gone, those that were not at their end.
  private(set) var lostCount = 0
  /// How often a partition was begun once more.
  private(set) var againCount = 0
  /// Partitions that were at their end before this run.
  private(set) var doneBefore = 0
  private(set) var gates: [String: Gate] = [:]
  private var sources = TextNumbers(Self.mostSources)
  private var items: [Int] = []
  private var goneCounts = WorkerCounts()
  /// By hashes of their ids: a million of them are a few megabytes.
  private var known: [Int: Known] = [:]
  private(set) var isListed = false
  /// Names of those that are gone: what is told of them late counts no more.
  private var goneNames: Set<Int> = []

  /// Whether there is anything of it.
  var isEmpty: Bool { known.isEmpty && workers.isEmpty && gone.isEmpty && gates.isEmpty && !isListed }

  /// Items that this run has brought, by sources.
  var itemsPerSource: [String: Int] {
    Dictionary(zip(sources.texts, items)) { $0 + $1 }
  }

  /// What all workers have done.
  var counts: WorkerCounts { workers.values.reduce(goneCounts) { $0 + $1.counts } }

  /// Takes news; `partitions` has how each of them stands.
  mutating func heard(_ news: TelemetryNews, _ partitions: inout TelemetryPartitions, at now: Double) {
    if isOfGone(news) { return }
    switch news {
    case .listed(let id, let source, let parameters):
      _ = key(of: id, source: source, parameters: parameters, &partitions)
    case .listedAll: isListed = true
    case .came(let name, let machine):
      goneNames.remove(name.hashValue)
      touch(name, at: now)
      if !machine.isEmpty { workers[name]?.machine = machine }
    case .began(let id, let name, let items): began(id, by: name, items, &partitions, at: now)
    case .reached(let id, let items): count(items, of: key(of: id, &partitions))
    case .done(let id, let items, let isNew): done(id, items, isNew, &partitions)
    case .failed(let id, _):
      let key = key(of: id, &partitions)
      leave(key)
      change(key, to: .failed, &partitions)
    case .leftToAnother(let id, let name):
      let key = key(of: id, &partitions)
      if known[key]?.worker == name { leave(key) }
    case .counted(let name, let counts, let silent):
      touch(name, at: max(0, now - silent))
      workers[name]?.counts = counts
    case .gone(let name, let reason): left(name, reason, &partitions, at: now)
    case .gate(let host, let standing): gate(host) { $0.standing = standing }
    case .closed(let host, let seconds): gate(host) { $0.closedUntil = max($0.closedUntil, now + seconds) }
    case .logged: break
    }
  }

  private mutating func began(
    _ id: String, by name: String, _ there: Int, _ partitions: inout TelemetryPartitions, at now: Double
  ) {
    let key = key(of: id, &partitions)
    touch(name, at: now)
    guard known[key]?.worker != name else { return }
    leave(key)
    if known[key]?.before != nil { againCount += 1 } else { known[key]?.before = there }
    known[key]?.worker = name
    workers[name]?.reading.insert(key)
    count(there, of: key)
    change(key, to: .reading, &partitions)
  }

  private mutating func done(
    _ id: String, _ items: Int, _ isNew: Bool, _ partitions: inout TelemetryPartitions
  ) {
    let key = key(of: id, &partitions)
    if let worker = known[key]?.worker { workers[worker]?.done += 1 }
    leave(key)
    guard let place = known[key]?.place, partitions.states[place] != .done else { return }
    // One that nobody has begun was read to its end before, and has brought nothing.
    let isOfThisRun = isNew || known[key]?.before != nil
    if isOfThisRun { count(items, of: key) } else { doneBefore += 1 }
    change(key, to: .done, &partitions)
  }

  private mutating func left(
    _ name: String, _ reason: String, _ partitions: inout TelemetryPartitions, at now: Double
  ) {
    guard var worker = workers.removeValue(forKey: name) else { return }
    goneNames.insert(name.hashValue)
    for key in worker.reading {
      known[key]?.worker = nil
      change(key, to: .waiting, &partitions)
    }
    worker.counts.inFlight = 0
    worker.reading = []
    worker.reason = reason
    goneCounts = goneCounts + worker.counts
    goneCount += 1
    if !reason.isEmpty { lostCount += 1 }
    gone.append(worker)
    // Those that were lost stay longest.
    if gone.count > Self.mostGone { gone.remove(at: gone.firstIndex { $0.reason == "" } ?? 0) }
  }

  private func isOfGone(_ news: TelemetryNews) -> Bool {
    switch news {
    case .began(_, let name, _), .counted(let name, _, _), .leftToAnother(_, let name):
      goneNames.contains(name.hashValue)
    case .listed, .listedAll, .came, .reached, .done, .failed, .gone, .gate, .closed, .logged: false
    }
  }

  private mutating func touch(_ name: String, at now: Double) {
    workers[name, default: Worker(name: name, machine: "", heardAt: now)].heardAt = now
  }

  private mutating func gate(_ host: String, _ body: (inout Gate) -> Void) {
    guard gates[host] != nil || gates.count < Self.mostGates else { return }
    body(&gates[host, default: Gate(host: host)])
  }

  /// Nobody reads it for now.
  private mutating func leave(_ key: Int) {
    guard let worker = known[key]?.worker else { return }
    known[key]?.worker = nil
    workers[worker]?.reading.remove(key)
  }

  private mutating func change(
    _ key: Int, to state: TelemetryPartitions.State, _ partitions: inout TelemetryPartitions
  ) {
    if let place = known[key]?.place { partitions.change(place, to: state) }
  }

  /// So many items of it are there, of which those that were there before are not this run's.
  private mutating func count(_ there: Int, of key: Int) {
    guard let partition = known[key] else { return }
    let brought = max(partition.items, there - (partition.before ?? 0))
    items[partition.source] = min(items[partition.source] + brought - partition.items, Self.mostItems)
    known[key]?.items = brought
  }

  private mutating func key(
    of id: String, source: String = "", parameters: String = "", _ partitions: inout TelemetryPartitions
  ) -> Int {
    let key = id.hashValue
    guard known[key] == nil else { return key }
    let place = partitions.add(source.isEmpty ? id : "\(source) \(parameters)", .waiting)
    let number = sources.number(of: source)
    while items.count <= number { items.append(0) }
    known[key] = Known(place: place, source: number)
    return key
  }
}

extension RunTelemetry {
  /// The counts of a run that several processes do.
  public var workerSample: TelemetrySample {
    func count(_ state: TelemetryPartitions.State) -> Int { partitions.counts[Int(state.rawValue)] }
    var statistics = Statistics()
    let counts = workers.counts
    statistics.itemsPerStream = workers.itemsPerSource
    statistics.items = statistics.itemsPerStream.values.reduce(0, +)
    statistics.pages = counts.pages
    statistics.requests = counts.requests
    statistics.retries = counts.retries
    statistics.bytesReceived = counts.bytes
    statistics.inFlight = counts.inFlight
    statistics.partitions.listed = partitions.count
    statistics.partitions.done = count(.done)
    statistics.partitions.failed = count(.failed)
    statistics.partitions.doneBefore = workers.doneBefore
    statistics.partitions.openLists = workers.isListed ? 0 : 1
    var sample = TelemetrySample()
    sample.statistics = statistics
    return sample
  }
}
