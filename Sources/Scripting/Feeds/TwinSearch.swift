import Items
import JSON
import Lua

/// Finds ids of one list that are written alike, as `1` and `"1"`, or `[1,"a"]` and `["1","a"]` where several members name an item.
///
/// It looks up only what can be there twice: a list whose ids have the same kinds throughout has none.
struct TwinSearch {
  /// Whether an id is the list of several members, as JSON.
  private let isJoined: Bool
  /// The members that were integers, and those that were texts, a bit for each; an id that is no list is the first one.
  private var integers: UInt64
  private var texts: UInt64

  /// For a list that may have items already, whose ids are known.
  init(isJoined: Bool, known: KnownIDs?) {
    self.isJoined = isJoined
    // Of a digest it can't be told what its members were.
    let isOpen = isJoined && known?.isEmpty == false
    integers = isOpen ? .max : known?.hasIntegers == true ? 1 : 0
    texts = isOpen ? .max : known?.hasTexts == true ? 1 : 0
  }

  /// The first of new items whose id is in the list in another form, with that form; nil if there is none.
  mutating func first(
    among new: [Item], in list: (ItemID) -> Bool
  ) -> (id: ItemID, twin: ItemID)? {
    for item in new where integers & texts & 1 == 0 || isJoined { see(item.id) }
    guard integers & texts != 0 else { return nil }
    for item in new {
      if let twin = forms(of: item.id).first(where: list) { return (item.id, twin) }
    }
    return nil
  }

  private mutating func see(_ id: ItemID) {
    guard isJoined else {
      if case .integer = id { integers |= 1 } else { texts |= 1 }
      return
    }
    for (place, member) in TwinSearch.members(of: id).enumerated() where member.twin != nil {
      if member.isText { texts |= 1 << place } else { integers |= 1 << place }
    }
  }

  /// The other forms that an id might have here.
  private func forms(of id: ItemID) -> [ItemID] {
    guard isJoined else { return id.twin.map { [$0] } ?? [] }
    var forms: [[String]] = [[]]
    for (place, member) in TwinSearch.members(of: id).enumerated() {
      let mayDiffer = integers & texts & 1 << place != 0 && forms.count < TwinSearch.mostForms
      let others = mayDiffer ? [member.twin].compactMap(\.self) : []
      forms = forms.flatMap { form in ([member.json] + others).map { form + [$0] } }
    }
    return forms.dropFirst().map { .text("[\($0.joined(separator: ","))]") }
  }

  /// Forms of an id that are looked up: each member that may differ doubles them.
  private static let mostForms = 64

  /// One of the members that name an item together.
  private struct Member {
    let json: String
    let isText: Bool
    /// What it would be as one of the other kind.
    let twin: String?

    init(_ value: JSONValue) {
      let written = String(decoding: value.bytes, as: UTF8.self)
      switch value.kind {
      case .text:
        (json, isText) = ("\"\(written)\"", true)
        twin = ItemID.text(written).twin.map { "\($0)" }
      case .integer:
        (json, isText, twin) = (written, false, "\"\(written)\"")
      case .null, .boolean, .real, .array, .object: (json, isText, twin) = (written, false, nil)
      }
    }
  }

  private static func members(of id: ItemID) -> [Member] {
    guard case .text(let text) = id else { return [] }
    return (try? JSONReader.read(text) { $0.kind == .array ? $0.elements.map(Member.init) : [] }) ?? []
  }
}

extension LuaError {
  /// A source with two items whose ids are written alike.
  static func twins(_ id: ItemID, _ twin: ItemID, of source: String) -> LuaError {
    let number = id.canonical
    let isSingle = id.twin != nil
    let (one, other) = isSingle ? ("\(number)", "\"\(number)\"") : ("\(twin)", "\(id)")
    return LuaError(
      .runtime,
      "source '\(source)' has an item with the id \(one) and one with the id \(other), which "
        + (isSingle ? "would be one row of a table" : "are written alike")
        + ": give all ids one form and different texts, as id = function(item) return item.kind .. \"/\" .. item.id end"
    )
  }
}
