/// What was typed before, oldest first, and where a person is in it. An entry may be a block of many lines.
public struct LineHistory: Sendable {
  /// Oldest first; the same one never twice in a row.
  public private(set) var entries: [String]
  /// The most that are kept.
  public let limit: Int
  /// The entry that is shown; nil is what the person types.
  private var place: Int?
  /// What was typed before the person went back, and what the entries shown begin with.
  private var draft = EditedText()
  private var prefix = ""

  /// Entries as they were read; those past the limit are forgotten, the oldest first.
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

  /// What is shown is the person's own text from now on.
  public mutating func leave() { place = nil }

  /// The entry before this one that begins with what stood before the cursor; nil where there is none.
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

  /// The entry after this one, or in the end what the person had typed; nil where nothing comes after.
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

  /// The oldest entry; nil where there is none.
  public mutating func oldest(_ shown: EditedText) -> EditedText? {
    guard !entries.isEmpty else { return nil }
    if place == nil { (draft, prefix) = (shown, "") }
    place = 0
    return EditedText(entries[0])
  }

  /// What the person had typed; nil where that is shown.
  public mutating func newest() -> EditedText? {
    guard place != nil else { return nil }
    place = nil
    return draft
  }

  /// The newest entry before that place which holds the text; nil where there is none.
  public func find(_ text: String, before end: Int) -> Int? {
    entries[..<min(end, entries.count)].lastIndex { $0.contains(text) }
  }

  private func fits(_ entry: String, besides shown: String) -> Bool {
    entry.hasPrefix(prefix) && entry != shown
  }
}

extension LineHistory {
  /// An entry as one line of a file: backslashes and line ends are escaped.
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

  /// The entry that stands on a line of a file.
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
