import Items
import Listing
import Lua

/// Why a script's change set is invalid, with positions from 1.
struct CollectionFault: Error {
  let code: String
  let message: String
  var fields: [String: LuaValue] = [:]
  /// The submitted operations in order, as text.
  var operations: [String] = []

  /// An invalid position.
  init(invalidIndex message: String) {
    code = UpdateError.Code.invalidIndex.rawValue
    self.message = message
  }

  /// An invalid batch.
  init(_ error: UpdateError) {
    code = error.code.rawValue
    message = error.wording
    func set(_ name: String, _ value: Int?) { fields[name] = value.map { .integer(Int64($0)) } }
    set("section", error.section.map { $0 + 1 })
    set("item", error.path.map { $0.item + 1 })
    set("old", error.old)
    set("new", error.new)
    set("inserted", error.inserted)
    set("deleted", error.deleted)
    operations = error.operations.prefix(Self.operationLimit).map(\.wording)
  }

  private static let operationLimit = 100
}
