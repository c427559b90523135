import Hosting
import Items
import Paging
import Synchronization

/// Takes a first few items and prints them as a table.
final class TablePreview: Sink {
  private let items = Mutex<[Item]>([])

  func deliver(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) {
    items.withLock { $0 += delivery.items }
    reply(.done)
  }

  func finish() -> SinkReport {
    let items = items.withLock { items in
      defer { items = [] }
      return items
    }
    if !items.isEmpty { print(Table(items.map { itemMembers($0.bytes) }).text, terminator: "") }
    var report = SinkReport()
    report.items["preview"] = items.count
    return report
  }
}

/// Rows of named cells as aligned columns.
struct Table {
  private static let widest = 40
  private let columns: [String]
  private let rows: [[String]]

  init(_ items: [[(name: String, text: String)]]) {
    var columns: [String] = []
    for item in items {
      for member in item where !columns.contains(member.name) { columns.append(member.name) }
    }
    self.columns = columns
    rows = items.map { item in
      columns.map { name in item.first { $0.name == name }.map { Self.cut($0.text) } ?? "" }
    }
  }

  var text: String {
    let widths = columns.indices.map { column in
      max(columns[column].count, rows.map { $0[column].count }.max() ?? 0)
    }
    return ([columns] + [widths.map { String(repeating: "-", count: $0) }] + rows).map { line in
      var text = zip(line, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
        .joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }

  private static func cut(_ text: String) -> String {
    let flat = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return flat.count > widest ? flat.prefix(widest - 1) + "…" : flat
  }
}

/// An item's members as text; what is no object is one member.
private func itemMembers(_ bytes: Bytes) -> [(name: String, text: String)] {
  bytes.withUnsafeBytes { bytes in
    guard var members = JSONMembers(bytes) else {
      return [("value", String(decoding: bytes, as: UTF8.self))]
    }
    var found: [(name: String, text: String)] = []
    while let member = members.next() { found.append((member.key.string, member.value.string)) }
    return found
  }
}
