import Items
import Paging

/// Items as rows of a database, one table per stream, with what is remembered of their readings. An item with an
/// existing id replaces its row, and a removed one deletes it. Places are ignored: a table is unordered.
///
/// Deliveries of a group share a transaction; a failed one leaves nothing behind, and those before it stay. A reading that
/// mirrors its source is set aside until it is complete; then one transaction makes the table equal to it. Which database it
/// is knows its `RowStore` alone.
final class SinkDatabase: SinkWriter {
  private(set) var bytes = 0
  private(set) var remains = SinkRemains()
  private(set) var changes = SinkChanges()
  var waitingItems: [String: Int] { waiting.byStream }
  private let place: OutputPlace
  private var configuration: SinkConfiguration { place.configuration }
  private let store: any RowStore
  /// By lower-case name, as databases distinguish tables.
  private var tables: [String: any StreamTable] = [:]
  /// Nil until a reading begins.
  private var state: StateTables?
  private var readings: [Int: TableReading] = [:]
  /// The members that sources call the id, by stream.
  private var sourceIDs: [String: String] = [:]
  /// How far readings have come since the last commit.
  private var positions: [Int: (ReadingMark, lastRow: Int64?, isNumbered: Bool)] = [:]
  /// Where several processes write the database.
  private var shared: SharedReadings?
  private var hasBegun = false
  /// Tables that somebody has dropped since they were last written.
  private var dropped: Set<String> = []
  /// What the run was given for the lists of parts that are mirrored, by stream.
  private var mirrored: [String: String] = [:]
  private lazy var origins = RowOrigins(isShare: configuration.state.isShare)
  private var waiting = WaitingCounts()
  /// Steps that the run does not bring to their ends.
  private var cutSteps: [Int] = []

  init(_ place: OutputPlace, _ store: any RowStore) {
    self.place = place
    self.store = store
    shared = place.configuration.state.isShared ? SharedReadings() : nil
  }

  func begin(_ request: ReadingRequest) throws(SinkError) -> BegunReading {
    if case .member(let id) = request.items.identity {
      sourceIDs[request.stream ?? configuration.defaultStream] = id
    }
    var begun = BegunReading(request)
    guard configuration.state.isKept else { return begun }
    try access {
      try self.beginTransaction()
      try self.storePositions()
      let state = try self.openState()
      try self.attempt { begun = try self.begin(request, state) }
    }
    return begun
  }

  private func begin(_ request: ReadingRequest, _ state: StateTables) throws -> BegunReading {
    let name = request.stream ?? configuration.defaultStream
    let table = try table(name)
    let isDropped = dropped.remove(name) != nil
    if isDropped {
      try store.forget(table: name)
      try state.forget(stream: name, in: store.memory)
    }
    try store.recall(stream: name, partition: request.partition)
    let beginning = try state.begin(request, stream: name, hasRows: table.hasRows(), in: store.memory)
    let begun = beginning.begun(isOutputChanged: isDropped)
    if beginning.write == .mirror, request.partition != request.parameters {
      mirrored[name] = request.parameters
    }
    let reading = try TableReading(beginning, table, aside: store.aside(begun.id))
    try shared?.claim(begun, request, state, in: store.memory)
    readings[begun.id] = reading
    return begun
  }

  /// Does it all or nothing.
  private func attempt(_ body: () throws -> Void) throws {
    do {
      try store.attempt(body)
    } catch {
      // What was created since the beginning of the attempt is gone, so tables have to be inspected again.
      tables = [:]
      throw error
    }
  }

  func begin(step key: String, _ parameters: String) throws(SinkError) -> BegunStep {
    var begun = BegunStep(id: 0)
    guard configuration.state.isKept else { return begun }
    try access {
      try self.beginTransaction()
      let state = try self.openState()
      begun = try state.begin(step: key, parameters, in: self.store.memory)
      if begun.result != nil { try self.checkEmitted(state) }
      if begun.result == nil { try self.store.aside(-begun.id).clear(above: nil) }
    }
    return begun
  }

  private func openState() throws -> StateTables {
    if let state { return state }
    let new = try StateTables(configuration.state, in: store.memory)
    dropped = try store.droppedTables()
    state = new
    return new
  }

  func write(_ delivery: Delivery) throws(SinkError) {
    let name = delivery.stream ?? configuration.defaultStream
    try access {
      try self.beginTransaction()
      let step = self.state == nil ? nil : delivery.step
      let isSetAside = delivery.reading.map { self.readings[$0]?.isSetAside ?? false } ?? false
      try self.attempt {
        if let step {
          try self.write(delivery, ofStep: step)
        } else {
          try self.write(delivery, to: try self.table(name))
        }
      }
      if isSetAside, let reading = delivery.reading {
        self.waiting.add(delivery.itemCount, of: name, for: reading)
        if delivery.mark?.place.isEnd == true { self.waiting.end(reading) }
      }
      try self.store.advance()
    }
    bytes += delivery.byteCount
  }

  /// What a step emits waits for its end.
  private func write(_ delivery: Delivery, ofStep step: Int) throws {
    let aside = store.aside(-step)
    try aside.add(delivery.items, stream: delivery.stream, isNumbered: delivery.isNumbered)
    guard let end = delivery.stepEnd, let state else { return }
    switch end {
    case .over(let result):
      try bring(step)
      try state.end(step: step, result, in: store.memory)
    case .cut: cutSteps.append(step)
    }
  }

  /// Brings what a step has emitted to its tables.
  private func bring(_ step: Int) throws {
    let aside = store.aside(-step)
    try aside.forEach { items, stream, isNumbered in
      let table = try self.table(stream ?? self.configuration.defaultStream)
      try self.admit(items, isNumbered ? .steps : .ids, to: table)
      try table.write(items, as: SinkRow(isNumbered: isNumbered))
    }
    try aside.clear(above: nil)
  }

  private func write(_ came: Delivery, to table: any StreamTable) throws {
    if let state, try shared?.takes(came, state, in: store.memory) == false { return }
    var delivery = came
    if keepsAll(came, in: table), !came.operations.isEmpty {
      changes.keep(came, in: table.name)
      delivery.items += came.operations.compactMap(\.item)
      delivery.operations = []
    }
    guard let state, let id = delivery.reading, let reading = readings[id] else {
      let isEmitted = delivery.reading == nil
      try admit(
        delivery.broughtItems, delivery.isNumbered ? isEmitted ? .script : .readings : .ids, to: table)
      try table.write(delivery.items, as: SinkRow(isNumbered: delivery.isNumbered))
      return try table.apply(delivery.operations, as: SinkRow())
    }
    // A position that is not stored yet says nothing of half a page behind it.
    if delivery.mark == nil { try storePosition(of: id) }
    try admit(delivery.items, reading.counts(delivery) ? .readings : .ids, to: table)
    try reading.write(delivery, to: table)
    state.add(came.broughtIDs(asUUIDs: table.hasUUIDs), came.itemCount, to: id)
    guard let mark = delivery.mark else { return }
    positions[id] = (mark, reading.lastRow, reading.isNumbered)
    guard mark.place.isEnd else { return }
    positions[id] = nil
    try state.mark(id, mark, lastRow: reading.lastRow, isNumbered: reading.isNumbered, in: store.memory) {
      known in
      if !configuration.state.isRefreshing { readings[id] = nil }
      try changes.add(reading.complete(known, in: table, mark), to: table.name)
    }
  }

  /// Whether rows are only added: none of them is the one of an id that is gone, and a history keeps them.
  private func keepsAll(_ delivery: Delivery, in table: any StreamTable) -> Bool {
    let counts = delivery.reading.flatMap { readings[$0]?.counts(delivery) } ?? delivery.isNumbered
    return counts || table.isCounted == true
  }

  /// Refuses items that would take the places of others, since rows that are only counted can't be told apart. What an earlier run
  /// has emitted without ids makes room, as a text does; of one that this run goes on with, what its steps have emitted stays.
  private func admit(_ items: [Item], _ origin: RowOrigins.Origin, to table: any StreamTable) throws {
    guard let first = items.first, try origins.isNew(origin, in: table.name, first) else { return }
    let isEmitted = origin == .script || origin == .steps
    let hasRows = try (isEmitted || table.countsRows) && table.hasRows()
    let state = try configuration.state.isKept && (isEmitted || hasRows) ? openState() : nil
    let before = try hasRows ? state?.emitted(table.name, in: store.memory) : nil
    if let known = before.flatMap({ RowOrigins.Origin(rawValue: $0.origin) }), known != origin {
      throw RowOrigins.mixing(known, origin, table.name, first)
    }
    if hasRows, isEmitted || origin == .readings && state == nil {
      guard let before, before.isOfThisRun || shared == nil else {
        throw RowOrigins.again(origin, table.name, first)
      }
      if origin == .script || !before.isOfThisRun {
        try table.removeAll(ofPart: nil, reading: nil, above: nil)
      }
    }
    if let isCounted = table.isCounted, isCounted == (origin == .ids), try table.hasRows() {
      throw RowOrigins.mixing(isCounted ? .readings : .ids, origin, table.name, first)
    }
    if isEmitted { try state?.noteEmitted(table.name, as: origin.rawValue, in: store.memory) }
    origins.note(origin, in: table.name)
  }

  /// What an earlier run of the script with the same parameters has emitted without ids goes where this one, which is over, has
  /// emitted nothing, as it does from a text; what steps have emitted that this run did not do again stays.
  private func removeFormerlyEmitted() throws {
    guard try state != nil || StateTables.exist(in: store.memory) else { return }
    let state = try openState()
    let script = "\(configuration.defaultStream) \(place.parameters)"
    for (stream, note) in try state.emittedStreams(in: store.memory) {
      if origins.areKnown(in: stream) {
        try state.noteEmitted(stream, as: note.origin, by: script, in: store.memory)
        continue
      }
      let isOfStep = note.origin == RowOrigins.Origin.steps.rawValue && state.isOfThisRun(note)
      guard note.script == script, !isOfStep else { continue }
      try table(stream).removeAll(ofPart: nil, reading: nil, above: nil)
      try state.forgetEmitted(stream, in: store.memory)
    }
  }

  private func storePosition(of reading: Int) throws {
    guard let (mark, lastRow, isNumbered) = positions.removeValue(forKey: reading) else { return }
    try state?.mark(reading, mark, lastRow: lastRow, isNumbered: isNumbered, in: store.memory) { _ in }
  }

  /// Stores how far the readings have come, as what was written is about to count.
  private func storePositions() throws {
    for reading in positions.keys.sorted() { try storePosition(of: reading) }
  }

  var dueAt: ContinuousClock.Instant? { hasBegun ? store.dueAt : nil }

  func commit() throws(SinkError) {
    if let dueAt, dueAt > .now { return }
    try commitAll()
  }

  func publish() throws(SinkError) { try commitAll() }

  private func commitAll() throws(SinkError) {
    guard hasBegun else { return }
    hasBegun = false
    try access {
      do {
        try self.store.checkTransaction()
        try self.state?.checkEpoch(in: self.store.memory)
        try self.storePositions()
        try self.store.commit()
        self.waiting.commit()
      } catch {
        self.store.rollBack()
        self.waiting.forget()
        throw error
      }
    }
    for event in shared?.takeNews() ?? [] { place.partEvents(event) }
  }

  func leave(partition id: String) throws(SinkError) {
    guard let reading = shared?.leave(partition: id) else { return }
    try commitAll()
    readings[reading] = nil
    state?.leave(reading)
  }

  func close(_ ending: SinkEnding) throws(SinkError) {
    defer { place.release() }
    var problem: SinkError?
    do throws(SinkError) {
      try settle(ending)
    } catch {
      problem = error
    }
    (tables, readings) = ([:], [:])
    do {
      try store.close(problem != nil ? .broken : ending == .whole ? .whole : .cut)
      remains.log = store.log
    } catch {
      problem = problem ?? store.explain(error)
    }
    place.leave()
    if let problem { throw problem }
  }

  private func settle(_ ending: SinkEnding) throws(SinkError) {
    // What there is of a step that is done again comes with the end of the run, behind which the next one makes room for it.
    if ending == .whole, !cutSteps.isEmpty {
      try access {
        try self.beginTransaction()
        for step in self.cutSteps { try self.attempt { try self.bring(step) } }
      }
    }
    // Where others write too, nobody's end is that of the run.
    if ending == .whole, configuration.state.isKept, shared == nil, configuration.state.write != .append {
      try access {
        try self.beginTransaction()
        try self.removeFormerlyEmitted()
      }
    }
    if let state, ending.endsRun, shared == nil {
      try access {
        try self.beginTransaction()
        if ending == .whole {
          self.changes.left = try state.left(by: self.place.returned, in: self.store.memory)
          try self.countUnlisted(state)
        }
        try state.end(isWhole: ending == .whole, in: self.store.memory)
      }
    }
    try commitAll()
    for (name, counts) in store.moved.counts {
      changes.add(SinkChanges.Stream(moved: counts.moved, absent: counts.absent), to: name)
    }
  }

  /// Fails where a table is gone that no source fills: a step that is not done again may have.
  private func checkEmitted(_ state: StateTables) throws {
    guard let name = try dropped.sorted().first(where: { try !state.hasReading(of: $0, in: store.memory) })
    else { return }
    throw HostFailure(
      .io,
      "its table \(name.escapingControls) is gone, and steps that are done may have filled it: --fresh does them again; "
        + "where it was to go, delete its row in \(StateMirror.tables), too")
  }

  /// Counts the parts of mirrored sources that are no longer among those that are read, and their rows, which stay.
  private func countUnlisted(_ state: StateTables) throws {
    for (stream, parameters) in mirrored where place.returned.areAllRead && !configuration.state.isRefreshing
    {
      var changes = SinkChanges.Stream()
      let table = try table(stream)
      for part in try state.unlisted(in: stream, givenTo: parameters, in: store.memory) where table.hasParts {
        var rows = 0
        try table.forEachID(ofPart: part) { _ in rows += 1 }
        changes.unlistedParts += rows > 0 ? 1 : 0
        changes.unlistedRows += rows
      }
      self.changes.add(changes, to: stream)
    }
  }

  private func beginTransaction() throws {
    if hasBegun { return try store.checkTransaction() }
    try store.begin()
    hasBegun = true
    if store.mayHaveChanged { tables = [:] }
  }

  private func table(_ name: String) throws -> any StreamTable {
    let key = name.lowercased()
    guard let table = tables[key] else {
      if let failure = configuration.refusal(ofStreams: [name]) { throw failure }
      let table = try store.table(name, idField: configuration.idField, keys: keys(of: name))
      tables[key] = table
      return table
    }
    guard table.name == name else {
      throw HostFailure(
        .invalid,
        "the streams \(table.name.escapingControls) and \(name.escapingControls) would be one table")
    }
    return table
  }

  /// The columns by which rows may be found: that of the member which the source calls the id, and those of our own tables.
  private func keys(of stream: String) -> [String] {
    let own = [configuration.idField, SinkRow.ownKey].compactMap(\.self)
    guard let id = sourceIDs[stream], !own.contains(id) else { return own }
    return [id] + own
  }

  private func access(_ body: () throws -> Void) throws(SinkError) {
    do {
      try body()
    } catch let error as SinkError {
      throw error
    } catch {
      throw store.explain(error)
    }
  }
}
