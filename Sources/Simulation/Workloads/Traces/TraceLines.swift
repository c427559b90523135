/// The non-empty lines of a text, numbered from 1.
struct TraceLines {
  struct Line {
    let number: Int
    let text: Substring
  }

  private let lines: [Line]

  init(_ text: String) {
    // A Windows line end is one character of two bytes; byte views split it.
    let parts = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
    lines = parts.enumerated().compactMap { index, part in
      let isBlank: (UInt8) -> Bool = { $0 == 13 || $0 == 32 || $0 == 9 }
      let trimmed = part.drop(while: isBlank)
      let end = trimmed.lastIndex { !isBlank($0) }
      guard let end else { return nil }
      return Line(number: index + 1, text: Substring(trimmed[...end]))
    }
  }

  var first: Line? { lines.first }
  var rest: [Line] { Array(lines.dropFirst()) }
  var all: [Line] { lines }
}
