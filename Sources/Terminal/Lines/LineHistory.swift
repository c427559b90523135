/// Previous entries, oldest first, and the user's position in them. An entry may have many lines.
public struct LineHistory: Sendable {
  /// Oldest first, without consecutive duplicates.
  public private(set) var entries: [String]
  /// Maximum number of entries.
  public let limit: Int
  /// The shown entry; nil for the user's own text.
  private var place: Int?
  /// The text before browsing, whose start filters the entries.
  private var draft = EditedText()
  private var prefix = ""

  /// Entries as read; the oldest beyond the limit are dropped.
  public init(_ entries: [String] = [], limit: Int = 10_000) {
    self.limit = limit
    self.entries = []
    for entry in entries { _ = add(entry) }
  }

  /// Adds an entry; false if it is blank or repeats the last one.
  public mutating func add(_ entry: String) -> Bool {
    leave()
    guard !entry.allSatisfy(\.isWhitespace), entry != entries.last else { return false }
    entries.append(entry)
    if entries.count > limit { entries.removeFirst(entries.count - limit) }
    return true
  }

  /// Whether an entry is shown.
  public var isBrowsing: Bool { place != nil }

  /// Makes the shown entry the user's own text.
  public mutating func leave() { place = nil }

  /// The previous entry that starts with the text before the cursor; nil if there is none.
  public mutating func previous(_ shown: EditedText) -> EditedText? {
    if place == nil {
      draft = shown
      prefix = shown.lines.count == 1 ? shown.before : ""
    }
    var candidate = (place ?? entries.count) - 1
    while candidate >= 0 && !fits(entries[candidate], besides: shown.text) { candidate -= 1 }
    guard candidate >= 0 else { return nil }
    place = candidate
    return EditedText(entries[candidate])
  }

  /// The next entry, or finally the user's text; nil if there is none.
  public mutating func next(_ shown: EditedText) -> EditedText? {
    guard var candidate = place.map({ $0 + 1 }) else { return nil }
    while candidate < entries.count && !fits(entries[candidate], besides: shown.text) { candidate += 1 }
    guard candidate < entries.count else {
      place = nil
      return draft
    }
    place = candidate
    return EditedText(entries[candidate])
  }

  /// The oldest entry; nil if there is none.
  public mutating func oldest(_ shown: EditedText) -> EditedText? {
    guard !entries.isEmpty else { return nil }
    if place == nil { (draft, prefix) = (shown, "") }
    place = 0
    return EditedText(entries[0])
  }

  /// The user's text; nil if it is shown.
  public mutating func newest() -> EditedText? {
    guard place != nil else { return nil }
    place = nil
    return draft
  }

  /// The newest entry before that position that contains the text; nil if there is none.
  public func find(_ text: String, before end: Int) -> Int? {
    entries[..<min(end, entries.count)].lastIndex { $0.contains(text) }
  }

  private func fits(_ entry: String, besides shown: String) -> Bool {
    entry.hasPrefix(prefix) && entry != shown
  }
}

extension LineHistory {
  /// An entry as one line of a file, with backslashes and line ends escaped.
  public static func line(of entry: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": line.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": line.append(contentsOf: "\\n".unicodeScalars)
      case "\r": line.append(contentsOf: "\\r".unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  /// The entry on a line of a file.
  public static func entry(of line: some StringProtocol) -> String {
    var entry = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in line.unicodeScalars {
      guard isEscaped || scalar != "\\" else {
        isEscaped = true
        continue
      }
      entry.append(isEscaped && scalar == "n" ? "\n" : isEscaped && scalar == "r" ? "\r" : scalar)
      isEscaped = false
    }
    return String(entry)
  }
}
