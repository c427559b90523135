import Glibc
import Items
import JSON

/// What items have in common that are to become rows of a table.
struct SinkSurvey: ~Copyable {
  /// The members in order of appearance, with the kinds of their values.
  private(set) var kinds: [(member: String, kinds: SinkValueKinds)] = []
  /// Whether each item's id is its member of the given name.
  private(set) var isIDInField: Bool
  /// Whether an item has a member named like our own key that is not its id.
  private(set) var hasStrayKey = false
  private let idField: String?
  /// The kinds of the ids.
  private(set) var idKinds = SinkValueKinds()
  private var members = SinkColumns()
  private var reader = JSONReader()

  init(idField: String?) {
    self.idField = idField
    isIDInField = idField != nil
  }

  /// The type of the ids.
  var idType: SinkColumnType { SinkColumnType(for: idKinds) ?? .any }

  /// Adds one more item.
  mutating func see(_ item: Item) throws(SinkError) {
    idKinds.formUnion(SinkValueKinds(of: item.id))
    let idPlace = idField.flatMap { members.place(of: $0) }
    var isIDFound = false
    try item.bytes.withUnsafeBytes { bytes throws(SinkError) in
      var likely = 0
      for member in try ItemMembers(bytes, of: item.id, &reader) {
        let place = place(of: member, likely: likely)
        likely = place + 1
        kinds[place].kinds.formUnion(SinkValueKinds(of: member.value))
        if place == idPlace || idPlace == nil && kinds[place].member == idField {
          isIDFound = member.value.isID(item.id)
        }
        if kinds[place].member == SinkRow.ownKey && !member.value.isID(item.id) { hasStrayKey = true }
      }
    }
    isIDInField = isIDInField && isIDFound
  }

  private mutating func place(of member: ItemMembers.Member, likely: Int) -> Int {
    if let place = members.place(of: member, likely: likely) { return place }
    kinds.append((member.name, []))
    return members.append(member.name)
  }
}

extension JSONValue {
  /// Whether the value is the id, as an integer or as a text.
  func isID(_ id: ItemID) -> Bool {
    switch (id, kind) {
    case (.integer(let number), .integer): integer == number
    case (.integer(let number), .real): exactInteger == number
    // One of more than 64 bits is told by its digits.
    case (.text(let text), .integer): integer == nil && bytes.isEqual(to: text)
    case (.text(let text), .text(isEscaped: false)): bytes.isEqual(to: text)
    case (.text(let text), .text(isEscaped: true)): string == text
    default: false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether they are the text in UTF-8.
  func isEqual(to text: String) -> Bool {
    guard text.utf8.count == count else { return false }
    return text.utf8.withContiguousStorageIfAvailable {
      isEmpty || memcmp($0.baseAddress!, baseAddress!, count) == 0
    }
      ?? elementsEqual(text.utf8)
  }
}
