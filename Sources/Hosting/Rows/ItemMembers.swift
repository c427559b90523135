import Items
import JSON
import Paging

/// Iterates over the members of an item; one that is not an object counts as an object with the member `value`. Valid
/// until the reader reads the next item, and as long as the bytes are.
struct ItemMembers: Sequence, IteratorProtocol {
  /// A name and its value.
  struct Member {
    /// Nil if the item is not an object.
    let key: JSONValue?
    let value: JSONValue

    var name: String { key?.string ?? "value" }

    /// The bytes of the name, if written without escapes.
    var plainName: UnsafeRawBufferPointer? {
      guard let key else { return ItemMembers.loneName }
      if case .text(isEscaped: false) = key.kind { return key.bytes }
      return nil
    }
  }

  private var members: JSONMembers
  private var lone: JSONValue?

  init(_ bytes: UnsafeRawBufferPointer, of id: ItemID, _ reader: inout JSONReader) throws(SinkError) {
    guard let value = reader.readIfValid(bytes) else {
      throw SinkError(HostFailure(.parse, "the item \(id.description.escapingControls) is not valid JSON"))
    }
    members = value.members
    if case .object = value.kind { lone = nil } else { lone = value }
  }

  /// The next member; nil at the end.
  mutating func next() -> Member? {
    if let value = lone {
      lone = nil
      return Member(key: nil, value: value)
    }
    return members.next().map { Member(key: $0.key, value: $0.value) }
  }

  private static var loneName: UnsafeRawBufferPointer {
    let name: StaticString = "value"
    return UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
  }
}
