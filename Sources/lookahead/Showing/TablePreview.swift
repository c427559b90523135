import Hosting
import Items
import JSON
import Paging
import Synchronization
import Text

/// Prints the first few items as a table.
final class TablePreview: Sink {
  private let items = Mutex<[Item]>([])
  /// Called only at the end, on the thread that created it.
  private nonisolated(unsafe) let shown: (String) -> String

  /// `shown` filters each text, masking secrets.
  init(_ shown: @escaping (String) -> String) { self.shown = shown }

  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? {
    items.withLock { $0 += delivery.items }
    return .done
  }

  func finish(_ ending: SinkEnding) -> SinkReport {
    let items = items.withLock { items in
      defer { items = [] }
      return items
    }
    if !items.isEmpty { StandardOutput.show(Table(items.map { itemMembers($0.bytes, shown) }).text) }
    var report = SinkReport()
    report.items["preview"] = items.count
    return report
  }
}

/// Rows of named cells as aligned columns.
struct Table {
  private static let widest = 40
  /// The head, a rule and the rows, each with a newline.
  let text: String

  init(_ items: [[(name: String, text: String)]]) {
    var columns: [String] = []
    var known: Set<String> = []
    for item in items {
      for member in item where known.insert(member.name).inserted { columns.append(member.name) }
    }
    let rows = items.map { item in
      let texts = Dictionary(item.map { ($0.name, $0.text) }) { first, _ in first }
      return columns.map { name in texts[name].map(Self.cut) ?? "" }
    }
    text = TextTable(columns.map(Self.cut), rows: rows).text
  }

  private static func cut(_ text: String) -> String {
    // Only the beginning of a long text is needed.
    let flat = text.prefix(widest * 4).split(whereSeparator: \.isNewline).joined(separator: " ")
    let line = HarmlessText.line(flat)
    let isCut = text.utf8.count > flat.utf8.count + 1 && line.cellWidth == widest
    return (isCut ? line + "…" : line).clipped(to: widest)
  }
}

/// An item's members as text; what is no object is one member.
private func itemMembers(_ bytes: Bytes, _ shown: (String) -> String) -> [(name: String, text: String)] {
  bytes.withUnsafeBytes { bytes in
    var reader = JSONReader()
    guard let value = reader.readIfValid(bytes), value.kind == .object else {
      return [("value", shown(String(decoding: bytes, as: UTF8.self)))]
    }
    return value.members.map { (shown($0.key.string), shown($0.value.string)) }
  }
}

/// Accepts items and writes none: a dry run leaves its output unchanged.
final class EmptySink: Sink {
  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? { .done }

  func finish(_ ending: SinkEnding) -> SinkReport { SinkReport() }
}
