import Items
import JSON
import Paging

/// A position as state and recordings keep it.
extension JSONWriter {
  mutating func member(_ name: String, _ position: Position) {
    member(name) { $0.members(of: position) }
  }

  mutating func members(of position: Position) {
    members(of: position.key)
    if position.isBackward { member("isBackward", true) }
    if let front = position.front { member("front") { $0.members(of: front) } }
    if let counting = position.counting {
      member("counting") { writer in
        writer.member("place", counting.place)
        writer.member("step", Int(counting.step))
      }
    }
    member("pages", position.pages)
    member("received", position.received)
    member("inserted", position.inserted)
    member("largestPage", position.largestPage)
    if let total = position.total { member("total", total) }
    if let cap = position.cap { member("cap", cap) }
    if position.isCapped { member("isCapped", true) }
    if position.fallen > 0 { member("fallen", position.fallen) }
    if position.edited > 0 { member("edited", position.edited) }
    if position.gone > 0 {
      member("gone", position.gone)
      member("goneListed", position.goneListed)
    }
    if position.sawFullPage { member("sawFullPage", true) }
    if position.emptyPages != EmptyPages() { member("emptyPages") { $0.members(of: position.emptyPages) } }
  }

  private mutating func members(of emptyPages: EmptyPages) {
    member("largest", Int(emptyPages.largest))
    if emptyPages.short > 0 { member("short", Int(emptyPages.short)) }
    if emptyPages.hasGaps { member("hasGaps", true) }
    if emptyPages.isLastEmpty { member("isLastEmpty", true) }
  }

  private mutating func members(of pageKey: PageKey?) {
    switch pageKey {
    case .integer(let number): member("number", Int(number))
    case .text(let text): member("text", text)
    case .json(let bytes):
      key("json")
      text(bytes.string)
    case nil: break
    }
  }
}

extension EmptyPages {
  /// Reads what `members(of:)` wrote.
  init(_ fields: RecordedFields) throws(LineFault) {
    self.init()
    largest = Int32(clamping: try fields.integer("largest"))
    short = Int32(clamping: try fields.integerIfAny("short") ?? 0)
    hasGaps = try fields.booleanIfAny("hasGaps") ?? false
    isLastEmpty = try fields.booleanIfAny("isLastEmpty") ?? false
  }
}

extension PageKey {
  /// Reads what `members(of:)` wrote; nil is none.
  init?(_ fields: RecordedFields) throws(LineFault) {
    if fields.has("number") {
      self = .integer(Int64(try fields.integer("number")))
    } else if let text = try fields.textIfAny("text") {
      self = .text(text)
    } else if let text = try fields.textIfAny("json") {
      self = .json(Bytes(text))
    } else {
      return nil
    }
  }
}

extension Position {
  /// Reads what `members(of:)` wrote.
  init(_ fields: RecordedFields) throws(LineFault) {
    func count(_ name: String) throws(LineFault) -> Int {
      let count = try fields.integer(name)
      guard 0...StoredFields.most ~= count else {
        throw LineFault(expected: "a count as \(name)", got: "\(count)")
      }
      return count
    }
    self.init(key: try PageKey(fields))
    isBackward = try fields.booleanIfAny("isBackward") ?? false
    if fields.has("front") { front = try PageKey(fields.fields("front")) }
    if fields.has("counting") {
      let known = try fields.fields("counting")
      counting = CountingKeys(place: try known.integer("place"), step: Int64(try known.integer("step")))
    }
    pages = try count("pages")
    received = try count("received")
    inserted = try count("inserted")
    largestPage = try count("largestPage")
    if fields.has("total") { total = try count("total") }
    if fields.has("cap") { cap = try count("cap") }
    isCapped = try fields.booleanIfAny("isCapped") ?? false
    if fields.has("fallen") { fallen = try count("fallen") }
    if fields.has("edited") { edited = try count("edited") }
    if fields.has("gone") { (gone, goneListed) = (try count("gone"), try count("goneListed")) }
    sawFullPage = try fields.booleanIfAny("sawFullPage") ?? false
    if fields.has("emptyPages") { emptyPages = try EmptyPages(fields.fields("emptyPages")) }
  }

  /// As one JSON object.
  var text: String {
    var writer = JSONWriter()
    writer.object { $0.members(of: self) }
    return writer.bytes().string
  }

  /// Reads what `text` gave; nil if it is damaged.
  init?(text: String) {
    guard let tree = try? JSONTree(text), let fields = try? RecordedFields(tree, "a position"),
      let position = try? Position(fields)
    else { return nil }
    self = position
  }
}
