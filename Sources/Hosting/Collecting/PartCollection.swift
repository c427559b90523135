import Glibc
import Items
import JSON
public import Paging

/// The parts of a folder, brought together: which of them count, and what is missing.
///
///     let parts = try PartCollection("all/")
///     if parts.isWhole { try parts.writeManifest() }
public struct PartCollection {
  /// A partition that is not whole.
  public struct Missing: Sendable, Equatable {
    public let id: String
    /// Its line in `partitions.ndjson`; nil where there is none.
    public let line: String?
    /// Whether anybody has begun it.
    public let isBegun: Bool
  }

  /// The mark of a run that has begun and not ended, which no list of partitions stands for.
  public struct Unended: Sendable, Equatable {
    /// The name of its file in the folder.
    public let name: String
    /// Whether it is one of several that read what they are given.
    public let isOfWorker: Bool
  }

  private let folder: PartFolder
  private let shown: String
  private var script = ""
  /// Held for its lock: nobody writes parts meanwhile.
  private let lock: FileDescriptor
  /// The parts that count, by their ids.
  private var parts: [(id: String, epoch: Int)] = []
  /// Parts that are not whole, or were never begun.
  public private(set) var missing: [Missing] = []
  /// Shares of which nothing says that they are done, and the number of all shares.
  public private(set) var missingShards: (indices: [Int], count: Int) = ([], 0)
  /// Shares that were read when there were other partitions than when the last one was.
  public private(set) var strayShards: [Int] = []
  /// Runs of all partitions, and workers behind them, that have not ended: nobody knows what they have not come to.
  public private(set) var unended: [Unended] = []
  /// Whether no run has ended there, nor left anything.
  public private(set) var isBare = false
  /// What is beside the manifest: of shares, and of runs that have begun.
  private let beside: [String]
  /// Those of runs that have begun and not ended, shares too.
  private let marks: Set<String>
  /// Whether there is anything that the manifest does not say yet.
  private let isNew: Bool

  /// Looks through a folder; fails where there is none, or somebody writes it.
  public init(_ path: String) throws(SinkError) {
    guard let resolved = ResolvedPath(path)?.path, access("\(resolved)/parts", F_OK) == 0,
      let lock = try OutputLock.open(resolved, O_RDONLY | O_DIRECTORY, shown: path)
    else { throw SinkError(HostFailure(.notFound, "\(path.escapingControls) has no parts")) }
    self.lock = lock
    shown = path
    let folder = try PartFolder(resolved)
    self.folder = folder
    let manifest = "\(resolved)/manifest.json"
    var counting: [String: Int] = [:]
    for (id, epoch) in PartManifest.parts(of: manifest) ?? [] { counting[id] = epoch }
    let begun = try PartCollection.begun(folder)
    let head = PartManifest.head(of: manifest)
    script = head?.script ?? ""
    let beside = try PartManifest.beside(in: folder)
    self.beside = beside
    var begunRuns: [String: Int] = [:]
    for name in beside {
      guard let head = PartManifest.head(of: "\(resolved)/\(name)"), head.isBegun else { continue }
      begunRuns[name] = head.nextEpoch
    }
    // A run that has ended whole since has read what they were to read.
    let past = Set(begunRuns.filter { $0.value < folder.firstEpoch }.keys)
    marks = Set(begunRuns.keys).subtracting(past)
    isNew = !begun.isEmpty || !marks.isEmpty || head == nil
    let hasList = try folder.names().contains(PartCollection.list)
    unended = marks.sorted().filter { PartManifest.shard(named: $0) == nil }.map {
      Unended(name: $0, isOfWorker: PartManifest.isOfWorker($0))
    }.filter { !$0.isOfWorker || !hasList }
    isBare = head == nil && begun.isEmpty && beside.isEmpty && !hasList
    for (id, line) in try wanted(begun, hasList: hasList, beside: beside.filter { !past.contains($0) }) {
      if let epoch = begun[id], folder.record(of: id, epoch) != nil {
        counting[id] = epoch
      } else if isNew || counting[id] == nil {
        missing.append(Missing(id: id, line: line, isBegun: begun[id] != nil))
      }
    }
    parts = counting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    for (id, epoch) in parts { try folder.check(id, epoch) }
  }

  /// Whether all of the run is there.
  public var isWhole: Bool {
    missing.isEmpty && missingShards.indices.isEmpty && strayShards.isEmpty && unended.isEmpty && !isBare
  }
  /// Parts that count.
  public var count: Int { parts.count }

  /// The partitions of this run, with their lines where these are known: those of the list, or of the shares, and whatever else was
  /// begun, as a list may be older than the work. Only those of the list if there is no run since the manifest.
  private mutating func wanted(
    _ begun: [String: Int], hasList: Bool, beside: [String]
  ) throws(SinkError) -> [(id: String, line: String?)] {
    var all = hasList ? try PartCollection.lines(of: "\(folder.path)/\(PartCollection.list)") : []
    guard isNew else { return all }
    var shards: [Int: [Int: String]] = [:]
    for name in beside {
      if let shard = PartManifest.shard(named: name) { shards[shard.count, default: [:]][shard.index] = name }
    }
    var listed = Set(all.map(\.id))
    if let (count, found) = shards.max(by: { writtenAt($0.value) < writtenAt($1.value) }) {
      // A list that has all that the shares have seen says itself what is missing.
      if all.isEmpty || !haveSeenOnly(listed, found) {
        let missing = (1...count).filter { index in found[index].map { marks.contains($0) } ?? true }
        missingShards = (missing, count)
        all += look(through: found).filter { !listed.contains($0.id) }
        if missingShards.indices.isEmpty {
          try check(shares: count, beside: shards)
        }
      }
    }
    listed = Set(all.map(\.id))
    // A share that is missing says itself what of it is not whole.
    return all
      + begun.keys.sorted().filter { !listed.contains($0) }.map { ($0, nil) }.filter {
        missingShards.indices.isEmpty || folder.record(of: $0.0, begun[$0.0] ?? 0) != nil
      }
  }

  /// Fails where shares of another number have seen more partitions than those with the newest files: copying changes the times of
  /// files, and machines have clocks of their own, so nobody knows which of them count.
  private func check(shares count: Int, beside shards: [Int: [Int: String]]) throws(SinkError) {
    func seen(_ manifests: [Int: String]?) -> Int {
      (manifests ?? [:]).values.map { self.seen($0) }.max() ?? 0
    }
    let most = seen(shards[count])
    for (other, manifests) in shards.sorted(by: { $0.key < $1.key }) where seen(manifests) > most {
      throw SinkError(
        HostFailure(
          .io,
          "\(shown.escapingControls) has shares of \(count), whose files are the newest, and of \(other), which have seen more "
            + "partitions: remove those that no longer count (\(manifests.values.sorted().joined(separator: ", ")), or the "
            + "manifest.*-of-\(count).json)"))
    }
  }

  /// Whether the shares with these manifests are read, have no other partitions than those, and have seen no more.
  private func haveSeenOnly(_ listed: Set<String>, _ manifests: [Int: String]) -> Bool {
    manifests.values.allSatisfy { name in
      let parts = PartManifest.parts(of: "\(folder.path)/\(name)") ?? []
      return !marks.contains(name) && seen(name) <= listed.count
        && parts.allSatisfy { listed.contains($0.id) }
    }
  }

  /// How many partitions there were, as the share with that manifest has seen them.
  private func seen(_ name: String) -> Int {
    let listed = PartManifest.head(of: "\(folder.path)/\(name)")?.listed
    return max(
      listed.flatMap { Int($0.prefix { $0 != " " }) } ?? 0,
      PartManifest.parts(of: "\(folder.path)/\(name)")?.count ?? 0)
  }

  /// The parts of the shares with these manifests.
  private mutating func look(through manifests: [Int: String]) -> [(id: String, line: String?)] {
    var all: [(id: String, line: String?)] = []
    var listed: [(index: Int, text: String, at: Int128)] = []
    for (index, name) in manifests.sorted(by: { $0.key < $1.key }) {
      let path = "\(folder.path)/\(name)"
      let head = PartManifest.head(of: path)
      script = head?.script ?? script
      all += (PartManifest.parts(of: path) ?? []).map { ($0.id, nil) }
      if let text = head?.listed { listed.append((index, text, PartCollection.writtenAt(path))) }
    }
    let last = listed.max { $0.at < $1.at }?.text
    strayShards = listed.filter { $0.text != last }.map(\.index)
    return all
  }

  /// When the last of several shares has ended.
  private func writtenAt(_ manifests: [Int: String]) -> Int128 {
    manifests.values.map { PartCollection.writtenAt("\(folder.path)/\($0)") }.max() ?? 0
  }

  /// When a file was written, whatever somebody has set: in nanoseconds.
  private static func writtenAt(_ path: String) -> Int128 {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return Int128(status.st_mtim.tv_sec) * 1_000_000_000 + Int128(status.st_mtim.tv_nsec)
  }

  /// The highest epoch of each partition that was begun in this run.
  private static func begun(_ folder: PartFolder) throws(SinkError) -> [String: Int] {
    var begun: [String: Int] = [:]
    for name in try folder.names(ofParts: true) where name.hasSuffix(".ndjson") {
      guard let (id, epoch) = PartCollection.part(name), epoch >= folder.firstEpoch else { continue }
      begun[id] = max(begun[id] ?? 0, epoch)
    }
    return begun
  }

  /// The id and the epoch in a name, as `rows-….3.ndjson`.
  private static func part(_ name: String) -> (id: String, epoch: Int)? {
    var words = name.split(separator: ".", omittingEmptySubsequences: false)
    while let last = words.popLast() {
      if let epoch = Int(last), !words.isEmpty { return (words.joined(separator: "."), epoch) }
    }
    return nil
  }

  /// The file in which a user may list all partitions.
  private static let list = "partitions.ndjson"

  private static func lines(of path: String) throws(SinkError) -> [(id: String, line: String?)] {
    do throws(HostFailure) {
      return try WholeFile.read(path).string.split(separator: "\n").map { line throws(HostFailure) in
        guard let id = (try? JSONTree(line))?["id"]?.text else {
          throw HostFailure(.parse, "\(path.escapingControls): a line is no partition: \(line.prefix(80))")
        }
        return (id, String(line))
      }
    } catch {
      throw SinkError(error)
    }
  }
}

extension PartCollection {
  /// Lists the parts in the manifest, and removes those that no longer count.
  public func writeManifest() throws(SinkError) {
    if isNew { try PartManifest.write("manifest.json", of: folder, script: script, parts) }
    let counting = Dictionary(parts, uniquingKeysWith: { $1 })
    for name in try folder.names(ofParts: true) {
      if let (id, epoch) = PartCollection.part(name), counting[id] != epoch {
        unlink("\(folder.path)/parts/\(name)")
      }
    }
    for name in beside { unlink("\(folder.path)/\(name)") }
  }

  /// Gives the rows of all parts to a sink that has its place; returns why it takes no more, if so.
  ///
  /// What a part says is gone goes first, and from that part's own rows: another one may have it by now.
  public func deliver(to sink: any Sink, at place: OutputPlace) throws(SinkError) -> HostFailure? {
    let records = parts.compactMap { folder.record(of: $0.id, $0.epoch) }
    for record in records where !record.types.isEmpty {
      place.declare(record.types, of: record.stream ?? record.source)
    }
    var gone: [String: Set<ItemID>] = [:]
    for record in records {
      let ids = try PartRows.gone(in: folder.file(record.id, record.epoch), idField: record.idField)
      guard !ids.isEmpty else { continue }
      gone[record.id] = ids
      // A text is written anew.
      guard place.configuration.format.hasTables else { continue }
      for some in Array(ids).divided(into: PartCollection.removalsAtOnce) {
        var delivery = Delivery(stream: record.stream ?? record.source)
        delivery.operations = some.map { .remove($0, at: 0) }
        if let failure = PartCollection.hand(delivery, to: sink) { return failure }
      }
    }
    for (record, bytes) in PartCollection.inOrder(records) {
      let path = folder.file(record.id, record.epoch)
      var rows = try PartRows(path, idField: record.idField, bytes, without: gone[record.id] ?? [])
      let stream = record.stream ?? record.source
      while let delivery = try rows.next(stream: stream) {
        if let failure = PartCollection.hand(delivery, to: sink) { return failure }
      }
    }
    return nil
  }

  /// What the runs have brought, one run behind the other: of an id that several parts have, the newest row counts. Rows without ids
  /// stay together.
  private static func inOrder(_ records: [PartRecord]) -> [(record: PartRecord, bytes: Range<Int>)] {
    let stretches = records.flatMap { record in
      let whole = [PartRecord.Stretch(epoch: record.epoch, bytes: 0..<record.bytes)]
      return (record.idField == nil ? whole : record.stretches).map { (record, $0) }
    }
    return stretches.enumerated().sorted { ($0.element.1.epoch, $0.offset) < ($1.element.1.epoch, $1.offset) }
      .map { ($0.element.0, $0.element.1.bytes) }
  }

  /// Removals that are delivered together.
  private static let removalsAtOnce = 10_000

  /// Waits while the sink is behind.
  private static func hand(_ delivery: Delivery, to sink: any Sink) -> HostFailure? {
    let answer = Monitor<HostReply?>(nil)
    let reply =
      sink.accept(delivery) { reply in
        answer.withLock { $0 = reply }
        answer.wakeAll()
      } ?? answer.wait { $0 }
    if case .failed(let failure) = reply { return failure }
    return nil
  }
}
