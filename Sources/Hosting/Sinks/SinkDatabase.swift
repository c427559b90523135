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
  private let place: OutputPlace
  private var configuration: SinkConfiguration { place.configuration }
  private let store: any RowStore
  /// By lower-case name, as databases distinguish tables.
  private var tables: [String: any StreamTable] = [:]
  /// Nil until a reading begins.
  private var state: StateTables?
  private var readings: [Int: TableReading] = [:]
  /// How far readings have come since the last commit.
  private var positions: [Int: (ReadingMark, lastRow: Int64?, isNumbered: Bool)] = [:]
  /// Where several processes write the database.
  private var shared: SharedReadings?
  private var hasBegun = false

  init(_ place: OutputPlace, _ store: any RowStore) {
    self.place = place
    self.store = store
    shared = place.configuration.state.isShared ? SharedReadings() : nil
  }

  func begin(_ request: ReadingRequest) throws(SinkError) -> BegunReading {
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
    try store.recall(stream: name, partition: request.partition)
    let beginning = try state.begin(request, stream: name, hasRows: table.hasRows(), in: store.memory)
    let begun = beginning.begun
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
      begun = try self.openState().begin(step: key, parameters, in: self.store.memory)
      if begun.result == nil { try self.store.aside(-begun.id).clear(above: nil) }
    }
    return begun
  }

  private func openState() throws -> StateTables {
    if let state { return state }
    let new = try StateTables(configuration.state, in: store.memory)
    state = new
    return new
  }

  func write(_ delivery: Delivery) throws(SinkError) {
    let name = delivery.stream ?? configuration.defaultStream
    try access {
      try self.beginTransaction()
      try self.attempt {
        if let step = delivery.step, self.state != nil {
          try self.write(delivery, ofStep: step)
        } else {
          try self.write(delivery, to: try self.table(name))
        }
      }
      try self.store.advance()
    }
    bytes += delivery.byteCount
  }

  /// What a step emits waits for its end.
  private func write(_ delivery: Delivery, ofStep step: Int) throws {
    let aside = store.aside(-step)
    try aside.add(delivery.items, stream: delivery.stream, isNumbered: delivery.isNumbered)
    guard let result = delivery.stepResult, let state else { return }
    try aside.forEach { items, stream, isNumbered in
      let table = try self.table(stream ?? self.configuration.defaultStream)
      try table.write(items, as: SinkRow(isNumbered: isNumbered))
    }
    try aside.clear(above: nil)
    try state.end(step: step, result, in: store.memory)
  }

  private func write(_ delivery: Delivery, to table: any StreamTable) throws {
    if let state, try shared?.takes(delivery, state, in: store.memory) == false { return }
    guard let state, let id = delivery.reading, let reading = readings[id] else {
      try table.write(delivery.items, as: SinkRow(isNumbered: delivery.isNumbered))
      return try table.apply(delivery.operations)
    }
    // A position that is not stored yet says nothing of half a page behind it.
    if delivery.mark == nil { try storePosition(of: id) }
    try reading.write(delivery, to: table)
    state.add(delivery.broughtIDs, delivery.itemCount, to: id)
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
        try self.state?.checkEpoch(in: self.store.memory)
        try self.storePositions()
        try self.store.commit()
      } catch {
        self.store.rollBack()
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
    // Where others write too, nobody's end is that of the run.
    if let state, ending.endsRun, shared == nil {
      try access {
        try self.beginTransaction()
        if ending == .whole {
          self.changes.left = try state.left(by: self.place.returned, in: self.store.memory)
        }
        try state.end(isWhole: ending == .whole, in: self.store.memory)
      }
    }
    try commitAll()
    for (name, count) in store.moved.counts where count > 0 {
      changes.add(SinkChanges.Stream(moved: count), to: name)
    }
  }

  private func beginTransaction() throws {
    if hasBegun { return }
    try store.begin()
    hasBegun = true
    if store.mayHaveChanged { tables = [:] }
  }

  private func table(_ name: String) throws -> any StreamTable {
    let key = name.lowercased()
    guard let table = tables[key] else {
      if let failure = configuration.refusal(ofStreams: [name]) { throw failure }
      let table = try store.table(name, idField: configuration.idField)
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
