import Items
import Lua
import Paging

/// A source being read: its definition and its fetches in flight.
class Reader {
  let id: Int
  let name: String
  /// The sealed definition table.
  let definition: LuaReference
  let settings: RequestSettings
  /// The location of the fetch handler, such as `feed.lua:12`.
  let place: String
  /// The name of the id field; nil if a function returns the id, or there is none.
  let idField: String?
  /// Whether the script declared the id.
  let isIDDeclared: Bool

  /// What the output remembers of its reading; nil is nothing.
  @Seldom var begun: BegunReading?
  /// The bookmark of the reading so far, as JSON.
  var newBookmark: Bytes?
  /// Which items that come again are newer, where the source brings what is new since a bookmark.
  @Seldom var newerVersions: NewerVersions?

  /// Fetches in flight, in the order in which they began; their answers are wanted. A few at most, so that none is looked up
  /// faster in a table.
  private(set) var flights: [Flight] = []
  /// Errors of fetches, as raised by the script, the newest last.
  @Seldom private var errors: [LuaError]?
  /// Pages that have come and whose tasks go on.
  var pagesGoingOn = PagesGoingOn()
  var wakeAt: Instant?
  var isClosed = false
  /// Pages that have come and whose items are not built yet, as the next request went out first.
  var waitingPages = 0
  /// The nesting depth of the task that reads it.
  var depth = 0
  /// The prompt line that opened it.
  var line: Int?
  /// The page and the step for which it is read.
  @Seldom private(set) var page: PageTasks?
  @Seldom private(set) var step: Step?
  /// Whether any item had an id; otherwise items are numbered.
  private var hasIDs = false
  /// Whether items have no ids of their own.
  var numbersItems: Bool { anonymousItems > 0 }
  private var anonymousItems = 0
  /// What was said last of what is gone, and by which page.
  @Seldom private var told: (key: PageKey?, removed: [ItemID])?

  init(id: Int, definition: SourceDefinition) {
    self.id = id
    name = definition.name
    self.definition = definition.table
    settings = definition.requests
    place = definition.place
    idField = definition.idField
    isIDDeclared = definition.isIDDeclared
  }

  /// The error for a failure: the script's own, or one that names the source.
  func error(for failure: FetchFailure) -> LuaError {
    errors?.last { $0.message == failure.message } ?? LuaError(failure, source: name)
  }

  /// The last error of a fetch.
  var error: LuaError? { errors?.last }

  /// Keeps an error that a fetch has raised: which of them the pages end with is seen when all are in.
  func note(_ error: LuaError) {
    var kept = errors ?? []
    kept.removeAll { $0.message == error.message }
    if kept.count >= Reader.mostErrors { kept.removeFirst() }
    errors = kept + [error]
  }

  private static let mostErrors = 1000

  func forgetErrors() { errors = nil }

  /// Handles an event of this reader's handlers, or a due wake.
  func receive(_ event: Event) { preconditionFailure("\(name) is read by nobody") }

  /// A fetch handler starts for this request.
  func began(_ request: FetchRequest) {}

  /// The tasks of a page that have gone on have ended, or one of them with this error; false if that is the run's.
  func wentOn(_ error: LuaError?) -> Bool { error == nil }

  /// The reader was closed.
  func closed() {}

  /// When it is to be woken.
  var nextWake: Instant? { wakeAt }

  /// Resets the state of the last reading before the next: items without ids are numbered from the start again, so that
  /// the same place has the same number.
  func startOver() {
    forgetErrors()
    anonymousItems = 0
  }

  /// Its handlers work for what the task works for that reads it.
  func work(for task: ScriptTask?) { (page, step) = (task?.page, task?.step) }

  /// Continues the numbering of another reader of the same source, so that no two items have the same number.
  func countOn(after other: Reader) { anonymousItems = other.anonymousItems }

  /// A fetch whose answer is wanted, and the task that brings it.
  struct Flight {
    let id: FetchID
    let key: PageKey?
    let task: ScriptTask
    /// Its page without items, once the handler has returned it.
    @Seldom var outline: Page?
    /// Ids that it says are gone from the source.
    var removed: [ItemID] = []
  }

  /// The fetch in flight of that number; nil once it has ended, or was called off.
  subscript(number: Int) -> Flight? {
    get { flights.first { $0.id.number == number } }
    set {
      switch (flights.firstIndex { $0.id.number == number }, newValue) {
      case (let place?, let flight?): flights[place] = flight
      case (let place?, nil): flights.remove(at: place)
      case (nil, let flight?): flights.append(flight)
      case (nil, nil): break
      }
    }
  }

  /// How many ids a page says are gone; none where a page of another key said the same, as one does that is past the end of a list
  /// whose pages all say what is gone.
  func told(by number: Int) -> Int {
    guard let flight = self[number], !flight.removed.isEmpty else { return 0 }
    if let told, told.key != flight.key, told.removed == flight.removed { return 0 }
    told = (flight.key, flight.removed)
    return flight.removed.count
  }

  /// Removes and returns the fetches in flight: no answer is wanted any more.
  func callOff() -> [Flight] {
    defer { flights = [] }
    return flights
  }

  /// Notes that an item has an id; what came before without one was counted, and an id may be the same number.
  @inline(__always)
  private func sawID(_ position: Int) throws {
    if anonymousItems > 0 { throw lateID(position) }
    hasIDs = true
  }

  private func lateID(_ position: Int) -> HostFunctionError {
    HostFunctionError.misuse(
      "source '\(name)': item \(position) of the page has an id, and \(anonymousItems) before it had none: give all of them one, "
        + "as id = function(item) … end, or say id = false")
  }

  /// The item's id; its number if the source has no ids.
  func identity(_ id: consuming EncodedItems.ID, position: Int) throws -> ItemID {
    switch id {
    case .integer(let value):
      try sawID(position)
      return .integer(value)
    case .text(let value):
      try sawID(position)
      return .text(value)
    case .none where !isIDDeclared && !hasIDs:
      anonymousItems += 1
      return .integer(Int64(anonymousItems))
    case .none, .other:
      let field = idField.map { "no usable '\($0)'" } ?? "no usable id"
      throw HostFunctionError.misuse(
        "source '\(name)': item \(position) of the page has \(field) (expected a string in UTF-8, or an integer): "
          + "name the right field with id = \"…\", give a function, or id = false when items have none")
    }
  }
}

extension LuaError {
  /// A failure without a script error, as made by `context:fail`.
  init(_ failure: FetchFailure, source: String) {
    var fields: [String: LuaValue] = ["isTransient": .boolean(failure.isTransient)]
    if let wait = failure.retryAfter { fields["retryAfter"] = .number(wait.inSeconds) }
    self.init(.runtime, "source '\(source)': \(failure.message)", code: failure.code, fields: fields)
  }
}
