import Items
import JSON
import Paging

/// The changes of the items, one operation per line, or as one array with an operation per line.
///
/// Operations apply one after another to an initially empty list. Places count from 0:
/// `{"op":"insert","at":0,"id":1,"item":{…}}` inserts an item there, `{"op":"delete","at":0,"id":1}` deletes it,
/// `{"op":"move","from":3,"to":0,"id":1}` removes it at `from` and inserts it at `to` of the rest, and
/// `{"op":"update","at":0,"id":1,"item":{…}}` replaces it. If streams have names, `stream` follows `op`, and each is a
/// list of its own.
final class SinkOperations: SinkStream {
  let file: SinkFile
  private let isArray: Bool
  private var isEmpty = true
  /// The length of each stream's list.
  private var counts: [String?: Int] = [:]

  init(_ file: SinkFile, isArray: Bool) {
    self.file = file
    self.isArray = isArray
  }

  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError) {
    let stream = tag?.stream ?? delivery.stream
    var count = counts[stream, default: 0]
    for item in delivery.items {
      try write(.insert(item, at: count), stream)
      count += 1
    }
    for operation in delivery.operations {
      try write(operation, stream)
      count += operation.growth
    }
    counts[stream] = count
  }

  /// Changes are not remembered.
  func goOn(with layout: String?) -> Bool { false }

  func finish() { file.append(closing) }

  var closing: StaticString { isArray ? isEmpty ? "[]\n" : "\n]\n" : "" }

  private func write(_ operation: ItemOperation, _ stream: String?) throws(SinkError) {
    if isArray { file.append(isEmpty ? "[\n" : ",\n") }
    isEmpty = false
    var line = JSONWriter(capacity: 64 + (operation.item?.bytes.count ?? 0))
    line.object {
      switch operation {
      case .insert(let item, let place):
        $0.operation("insert", stream, [("at", place)], item.id)
        $0.item(item)
      case .update(let item, let place):
        $0.operation("update", stream, [("at", place)], item.id)
        $0.item(item)
      case .remove(let id, let place): $0.operation("delete", stream, [("at", place)], id)
      case .move(let id, let from, let to): $0.operation("move", stream, [("from", from), ("to", to)], id)
      }
    }
    file.append(line.bytes())
    if !isArray { file.append("\n") }
    try file.flushParts()
  }
}

extension JSONWriter {
  /// The operation's name, its stream, its places and the item's id.
  mutating func operation(_ name: String, _ stream: String?, _ places: [(String, Int)], _ id: ItemID) {
    member("op", name)
    if let stream { member("stream", stream) }
    for (name, place) in places { member(name, place) }
    key("id")
    switch id {
    case .integer(let number): integer(number)
    case .text(let text): self.text(text)
    }
  }

  mutating func item(_ item: Item) {
    key("item")
    raw(item.bytes)
  }
}
