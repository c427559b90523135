import Items
import Paging

/// Items as they are: one per line, or as one array with an item per line.
final class SinkJSON: SinkStream {
  let file: SinkFile
  private let isArray: Bool
  private var isEmpty = true

  init(_ file: SinkFile, isArray: Bool) {
    self.file = file
    self.isArray = isArray
  }

  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError) {
    for item in delivery.broughtItems {
      if isArray { file.append(isEmpty ? "[\n" : ",\n") }
      isEmpty = false
      if let tag { tag.append(item, to: file) } else { file.append(item.bytes) }
      if !isArray { file.append("\n") }
      try file.flushParts()
    }
  }

  func end() { file.append(closing) }

  var closing: StaticString { isArray ? isEmpty ? "[]\n" : "\n]\n" : "" }
}
