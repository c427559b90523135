extension ViewportTrace {
  /// The name of our format, as its header says it.
  static let format = "lookahead.viewport"

  /// JSON lines: a header, then one object per point.
  public var text: String {
    var header = "{\"format\":\"\(Self.format)\",\"version\":1"
    if let items { header += ",\"items\":\(items)" }
    header += ",\"viewport\":\(InvalidWorld.plain(viewport)),\"source\":\(Self.quoted(source))"
    header += ",\"hash\":\"\(hash)\"}\n"
    return points.reduce(into: header) { text, point in
      let time = InvalidWorld.plain(point.milliseconds)
      text += "{\"t_ms\":\(time),\"first\":\(point.first),\"last\":\(point.last)}\n"
    }
  }

  /// The points as CSV with a line of names.
  public var csv: String {
    points.reduce(into: "t_ms,first,last\n") { $0 += Self.row($1) + "\n" }
  }

  /// Reads JSON lines or CSV, whichever the first line is; rows may be arrays, too. Empty lines do not count.
  public init(text: String) throws(TraceTextError) {
    let lines = TraceLines(text)
    guard let head = lines.first else {
      throw TraceTextError(line: 0, expected: "a header", found: "an empty text")
    }
    if head.text.hasPrefix("{") {
      try self.init(header: try JSONValue.parse(head.text, firstLine: head.number), head, lines.rest)
    } else if head.text == "t_ms,first,last" {
      try self.init(rows: lines.rest, Header(), read: Self.csvPoint)
    } else {
      throw TraceTextError(
        line: head.number, expected: "a header as {\"format\":\"\(Self.format)\",…} or t_ms,first,last",
        found: head.text)
    }
  }

  private struct Header {
    var items: Int?
    var viewport: Double?
    var source = ""
  }

  private init(
    header: JSONValue, _ head: TraceLines.Line, _ rows: [TraceLines.Line]
  ) throws(TraceTextError) {
    guard header["format"]?.text == Self.format, header["version"]?.number == 1 else {
      throw TraceTextError(
        line: head.number, expected: "\"format\":\"\(Self.format)\",\"version\":1", found: head.text)
    }
    var facts = Header()
    if let items = header["items"], items != .null {
      guard let number = items.number, let count = Int(exactly: number), 0...1_000_000_000 ~= count else {
        throw TraceTextError(
          line: head.number, expected: "items as a whole number to 1000000000", found: head.text)
      }
      facts.items = count
    }
    if let viewport = header["viewport"], viewport != .null {
      guard let number = viewport.number, 0...1e6 ~= number else {
        throw TraceTextError(
          line: head.number, expected: "a viewport from 0 to 1000000 items", found: head.text)
      }
      facts.viewport = number
    }
    facts.source = header["source"]?.text ?? ""
    try self.init(rows: rows, facts, read: Self.jsonPoint)
    if let claimed = header["hash"]?.text, claimed != hash {
      throw TraceTextError(line: head.number, expected: "points of the hash \(claimed)", found: hash)
    }
  }

  private init(
    rows: [TraceLines.Line], _ header: Header, read: (Substring) -> Point?
  ) throws(TraceTextError) {
    var points: [Point] = []
    points.reserveCapacity(rows.count)
    for row in rows {
      guard let point = read(row.text) else {
        throw TraceTextError(line: row.number, expected: "t_ms, first and last", found: row.text)
      }
      if let expected = Self.mistake(point, after: points.last ?? point, items: header.items) {
        throw TraceTextError(line: row.number, expected: expected, found: row.text)
      }
      points.append(point)
    }
    try self.init(points: points, viewport: header.viewport, items: header.items, source: header.source)
  }

  private static func csvPoint(_ line: Substring) -> Point? {
    let cells = line.split(separator: ",", omittingEmptySubsequences: false)
    guard cells.count == 3 else { return nil }
    return point(Double(cells[0]), Double(cells[1]), Double(cells[2]))
  }

  private static func jsonPoint(_ line: Substring) -> Point? {
    guard let value = try? JSONValue.parse(line) else { return nil }
    if case .array(let cells) = value, cells.count == 3 {
      return point(cells[0].number, cells[1].number, cells[2].number)
    }
    return point(value["t_ms"]?.number, value["first"]?.number, value["last"]?.number)
  }

  private static func point(_ time: Double?, _ first: Double?, _ last: Double?) -> Point? {
    guard let time, time.isFinite, let first, let first = Int(exactly: first), let last,
      let last = Int(exactly: last)
    else { return nil }
    return Point(milliseconds: time, first: first, last: last)
  }

  private static func quoted(_ text: String) -> String {
    let content = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 32:
        "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"" + content.joined() + "\""
  }
}
