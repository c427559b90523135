import Items
import Paging

/// Walks the members of an item, whose bytes these are; an item that is no object counts as one with the member `value`.
struct ItemMembers {
  private var members: JSONMembers?
  private var lone: JSONSlice?
  private let id: ItemID

  init(_ bytes: UnsafeRawBufferPointer, of id: ItemID) throws(SinkError) {
    self.id = id
    members = JSONMembers(bytes)
    guard members == nil else { return }
    lone = JSONMembers.value(bytes)
    if lone == nil { throw broken }
  }

  /// The next key and value; nil at the end.
  mutating func next() throws(SinkError) -> JSONMembers.Member? {
    if let value = lone {
      lone = nil
      return JSONMembers.Member(key: ItemMembers.valueKey, value: value)
    }
    if let member = members?.next() { return member }
    if members?.isBroken == true { throw broken }
    return nil
  }

  private var broken: SinkError {
    SinkError(HostFailure(.parse, "the item \(id.description.escapingControls) is not valid JSON"))
  }

  private static var valueKey: JSONSlice {
    let name: StaticString = "value"
    return JSONSlice(
      kind: .text(isEscaped: false),
      bytes: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}
