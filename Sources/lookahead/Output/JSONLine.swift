import Items
import JSON
import Lua
import Paging

/// One JSON object on one line, written member by member, harmless on a terminal.
struct JSONLine: ~Copyable {
  private var json = JSONWriter(escaping: .harmless)

  init() { json.beginObject() }

  var text: String { json.string + "}" }

  mutating func add(_ name: String, _ value: String) { json.member(name, value) }
  mutating func add(_ name: String, _ value: Int) { json.member(name, value) }
  mutating func add(_ name: String, _ value: Bool) { json.member(name, value) }

  /// Numbers that JSON has no name for become null.
  mutating func add(_ name: String, _ value: Double) { json.member(name, value) }

  mutating func add(raw name: String, _ text: String) {
    json.key(name)
    json.raw(text: text)
  }

  mutating func add(_ name: String, _ value: LuaValue) {
    switch value {
    case .nil, .null: add(raw: name, "null")
    case .boolean(let value): add(name, value)
    case .integer(let value): add(name, Int(value))
    case .number(let value): add(name, value)
    case .string(let value): add(name, value)
    }
  }

  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    var json = JSONWriter(escaping: .harmless)
    json.text(text)
    return json.string
  }
}

/// Notes of the machine as members of a trace line.
extension JSONLine {
  mutating func add(_ note: Note) {
    switch note {
    case .decided(let view, let verdict): add(view, verdict)
    case .clamped(let asked, let started):
      add("asked", asked)
      add("started", started)
    case .landed(let id, let received, let latency):
      add(id)
      add("received", received)
      add("latency", latency.inSeconds)
    case .delivered(let id, let inserted, let updated, let duplicates):
      add(id)
      add("inserted", inserted)
      add("updated", updated)
      add("duplicates", duplicates)
    case .retrying(let id, let failure, let attempt, let at):
      add(id)
      add(failure)
      add("attempt", attempt)
      add("at", at.seconds)
    case .gaveUp(let id, let failure):
      add(id)
      add(failure)
    case .cancelled(let id), .threwAwayLateAnswer(let id), .threwAwayPastEnd(let id): add(id)
    case .fillsGap(let id, let offset, let size):
      add(id)
      add("offset", Int(offset))
      add("size", size)
    case .learnedPageSize(let size): add("size", size)
    case .stopped(let direction, .fruitless(let fetches)):
      add("direction", direction.rawValue)
      add("fruitlessFetches", fetches)
    case .stopped(let direction, .pageLimit(let pages)):
      add("direction", direction.rawValue)
      add("pageLimit", pages)
    case .endedBelowTotal(let direction, let emptyPages, let items, let total):
      add("direction", direction.rawValue)
      add("emptyPages", emptyPages)
      add("items", items)
      add("total", total)
    case .endedPastTotal(let id, let failure):
      add(id)
      add(failure)
    case .disagreedWithTotal(let direction, let mismatch):
      add("direction", direction.rawValue)
      add("received", mismatch.received)
      add("total", mismatch.total)
      if mismatch.repeated > 0 { add("repeated", mismatch.repeated) }
      if mismatch.fallen > 0 { add("fallen", mismatch.fallen) }
      if mismatch.edited > 0 { add("edited", mismatch.edited) }
    case .exhausted(let direction): add("direction", direction.rawValue)
    case .dropped(let direction, let items):
      add("direction", direction.rawValue)
      add("items", items)
    case .refreshing(let generation): add("generation", generation)
    case .replaced(let counts): add(counts)
    case .keptAll(let items): add("items", items)
    case .edited(let counts, let unknown):
      add(counts)
      if !unknown.isEmpty { add("unknown", unknown.map(\.description).joined(separator: " ")) }
    }
  }

  private mutating func add(_ counts: EditCounts) {
    add("inserted", counts.inserted)
    add("removed", counts.removed)
    add("moved", counts.moved)
    add("updated", counts.updated)
  }

  mutating func add(_ note: GateNote) {
    switch note {
    case .retrying(let id, let attempt, let at, let reason):
      add("event", "httpRetrying")
      add("call", id.number)
      add("attempt", attempt)
      add("at", at.seconds)
      add("reason", reason)
    case .unavailable(let host, let reason, let upTo):
      add("event", "hostUnavailable")
      add("host", host)
      add("reason", reason)
      add("seconds", upTo.inSeconds)
    case .available(let host):
      add("event", "hostAvailable")
      add("host", host)
    case .redirected(let id, let to, let droppedCredentials, let droppedBody):
      add("event", "httpRedirected")
      add("call", id.number)
      add("to", to)
      add("droppedCredentials", droppedCredentials)
      if droppedBody { add("droppedBody", true) }
    case .closed(let host, let until):
      add("event", "hostClosed")
      add("host", host)
      add("until", until.seconds)
    case .narrowed(let host, let width):
      add("event", "hostNarrowed")
      add("host", host)
      add("width", width)
    }
  }

  private mutating func add(_ view: PolicyView, _ verdict: Verdict) {
    add("fetch", verdict.fetch)
    add("reason", verdict.reason)
    add("direction", view.direction.rawValue)
    add("itemCount", view.itemCount)
    add("remainingItems", view.remainingItems)
    add("remainingScreens", view.remainingScreens)
    add("velocity", view.velocity)
    add("inFlight", view.inFlight)
    add("hint", view.hint)
    add("hintReason", view.hintReason.rawValue)
  }

  private mutating func add(_ id: FetchID) {
    add("fetch", id.number)
    add("generation", id.generation)
  }

  private mutating func add(_ failure: FetchFailure) {
    add("code", failure.code)
    add("message", failure.message)
  }
}
