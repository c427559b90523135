import Items

/// What the first items of a table have in common.
struct SinkSurvey {
  /// The members in order of appearance, with the type that all values have; nil where all are null.
  private(set) var types: [(member: String, type: SinkColumnType?)] = []
  /// Whether each item's id is its member of the given name.
  private(set) var isIDInField: Bool
  /// Whether an item has a member that is called as our own key, and is not its id.
  private(set) var hasStrayKey = false
  private let idField: String?
  private var idTypeSeen: SinkColumnType?
  private var members = SinkColumns()

  init(idField: String?) {
    self.idField = idField
    isIDInField = idField != nil
  }

  /// The type of the ids.
  var idType: SinkColumnType { idTypeSeen ?? .any }

  /// Takes one more item into account.
  mutating func see(_ item: Item) throws(SinkError) {
    idTypeSeen = .common(idTypeSeen, SinkColumnType(of: item.id))
    let idPlace = idField.flatMap { members.place(of: $0) }
    var isIDFound = false
    try item.bytes.withUnsafeBytes { bytes throws(SinkError) in
      var walk = try ItemMembers(bytes, of: item.id)
      var likely = 0
      while let member = try walk.next() {
        let place = place(of: member.key, likely: likely)
        likely = place + 1
        types[place].type = .common(types[place].type, SinkColumnType(of: member.value))
        if place == idPlace || idPlace == nil && types[place].member == idField {
          isIDFound = member.value.isID(item.id)
        }
        if types[place].member == SinkSchema.ownKey && !member.value.isID(item.id) { hasStrayKey = true }
      }
    }
    isIDInField = isIDInField && isIDFound
  }

  private mutating func place(of key: JSONSlice, likely: Int) -> Int {
    if let place = members.place(of: key, likely: likely) { return place }
    types.append((key.string, nil))
    return members.append(key.string)
  }
}

extension JSONSlice {
  /// Whether the value is the id, as an integer or as a text.
  func isID(_ id: ItemID) -> Bool {
    switch (id, kind) {
    case (.integer(let number), .integer): integer == number
    case (.text(let text), .text(isEscaped: false)): bytes.elementsEqual(text.utf8)
    case (.text(let text), .text(isEscaped: true)): string == text
    default: false
    }
  }
}
