import JSON

/// A recorded session: which items were visible from when on.
///
/// The time of the last point is the end of the session.
///
/// ```swift
/// let trace = try ViewportTrace(text: contents)
/// let path = trace.path
/// ```
public struct ViewportTrace: Sendable, Hashable {
  /// The viewport from a time on.
  public struct Point: Sendable, Hashable {
    /// Milliseconds; the trace starts at its first point, whatever its time.
    public let milliseconds: Double
    /// Index of the first visible item.
    public let first: Int
    /// Index of the last visible item; one less than the first if there is none.
    public let last: Int
    /// Items per second, as the list reported it; nil if it has to be estimated.
    public let velocity: Double?

    public init(milliseconds: Double, first: Int, last: Int, velocity: Double? = nil) {
      self.milliseconds = milliseconds
      self.first = first
      self.last = last
      self.velocity = velocity
    }
  }

  /// Items in the source; nil if unknown.
  public let items: Int?
  /// The usual viewport length in items.
  public let viewport: Double
  /// Its origin.
  public let source: String
  /// In time order, never empty.
  public let points: [Point]
  /// What happened meanwhile, if that was recorded.
  public var reading: RecordedReading?

  /// Throws with the number of an invalid point, or one earlier than its predecessor.
  public init(
    points: [Point], viewport: Double? = nil, items: Int? = nil, source: String = ""
  ) throws(TraceTextError) {
    guard let first = points.first else {
      throw TraceTextError(line: 0, expected: "at least one point", found: "none")
    }
    self.items = items
    self.source = source
    self.points = points
    self.viewport = viewport ?? Double(first.last - first.first + 1)
    var before = first
    for (index, point) in points.enumerated() {
      if let expected = Self.mistake(point, after: before, items: items) {
        throw TraceTextError(line: index + 1, expected: expected, found: Self.row(point))
      }
      before = point
    }
  }

  /// What a point should be, if it is invalid.
  static func mistake(_ point: Point, after before: Point, items: Int?) -> String? {
    if !(point.milliseconds >= before.milliseconds && abs(point.milliseconds) <= 1e12) {
      return "a time from the one before on"
    }
    if !(0...100_000_000 ~= point.first) { return "a first item from 0 to 100000000" }
    if !(point.first - 1...point.first + 1_000_000 ~= point.last) {
      return "a last item from one less than the first on"
    }
    if let items, point.last >= items { return "items below \(items)" }
    return nil
  }

  /// How often the reader of a recording was somewhere else at once, that many items away.
  func jumps(beyond reach: Int) -> Int {
    guard reading != nil else { return 0 }
    return zip(points, points.dropFirst()).count { point, next in
      next.first > point.last + reach || next.last < point.first - reach
    }
  }

  /// FNV-1a over the rows as CSV, 16 hexadecimal digits: traces with equal hashes are the same session.
  public var hash: String {
    var hash = TraceHash()
    for point in points { hash.add(Self.row(point)) }
    return hash.text
  }

  static func row(_ point: Point) -> String {
    "\(InvalidWorld.plain(point.milliseconds)),\(point.first),\(point.last)"
  }

  /// The format's name in the header.
  static let format = "lookahead.viewport"

  /// JSON lines: a header, then one object per point.
  public var text: String {
    var header = JSONWriter()
    header.object {
      $0.member("format", Self.format)
      $0.member("version", 1)
      if let items { $0.member("items", items) }
      $0.key("viewport")
      $0.raw(text: InvalidWorld.plain(viewport))
      $0.member("source", source)
      $0.member("hash", hash)
      if let reading {
        $0.key("reading")
        reading.write(to: &$0)
      }
    }
    return points.reduce(into: header.string + "\n") { text, point in
      let time = InvalidWorld.plain(point.milliseconds)
      let velocity = point.velocity.map { ",\"velocity\":\($0)" } ?? ""
      text += "{\"t_ms\":\(time),\"first\":\(point.first),\"last\":\(point.last)\(velocity)}\n"
    }
  }

  /// Parses JSON lines or CSV, by the first line; rows may also be arrays. Empty lines are ignored.
  ///
  /// A CSV names its columns: `first`, `last`, and `time` in seconds or `t_ms`; others are ignored. So are other members
  /// of events, one JSON object a line, which need no header.
  public init(text: String) throws(TraceTextError) {
    let lines = TraceLines(text)
    guard let head = lines.first else {
      throw TraceTextError(line: 0, expected: "a header", found: "an empty text")
    }
    if head.text.hasPrefix("{") {
      let object = try JSONTree(trace: head.text, firstLine: head.number)
      if object["format"] == nil, object["first"] != nil {
        try self.init(rows: lines.all, Header(), read: Self.jsonPoint)
      } else {
        try self.init(header: object, head, lines.rest)
      }
    } else if let columns = Columns(head.text) {
      try self.init(rows: lines.rest, Header(), read: columns.point)
    } else {
      throw TraceTextError(
        line: head.number,
        expected: "a header as {\"format\":\"\(Self.format)\",…}, t_ms,first,last or time,first,last",
        found: head.text)
    }
  }

  private struct Header {
    var items: Int?
    var viewport: Double?
    var source = ""
  }

  private init(
    header: JSONTree, _ head: TraceLines.Line, _ rows: [TraceLines.Line]
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
    if let told = header["reading"] {
      reading = RecordedReading(told)
      if reading == nil {
        throw TraceTextError(
          line: head.number, expected: "a reading with keys, waits, waited and latencies", found: head.text)
      }
    }
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

  /// Where the columns of a CSV are.
  private struct Columns {
    private let count: Int
    private let time: Int
    private let isInSeconds: Bool
    private let first: Int
    private let last: Int

    /// Nil unless the names are those of a trace.
    init?(_ head: Substring) {
      let names = head.split(separator: ",", omittingEmptySubsequences: false)
      guard let first = names.firstIndex(of: "first"), let last = names.firstIndex(of: "last"),
        let time = names.firstIndex(of: "t_ms") ?? names.firstIndex(of: "time")
      else { return nil }
      (count, self.time, self.first, self.last) = (names.count, time, first, last)
      isInSeconds = names[time] == "time"
    }

    func point(_ line: Substring) -> Point? {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      guard cells.count == count else { return nil }
      let time = Double(cells[time])
      return ViewportTrace.point(
        isInSeconds ? time.map(ViewportTrace.milliseconds) : time, Double(cells[first]), Double(cells[last]))
    }
  }

  /// To the microsecond, so that 1.1 s are 1100 ms.
  private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e3 }

  private static func jsonPoint(_ line: Substring) -> Point? {
    guard let value = try? JSONTree(line) else { return nil }
    if case .list(let cells) = value, cells.count == 3 {
      return point(cells[0].number, cells[1].number, cells[2].number)
    }
    let time = value["t_ms"]?.number ?? value["time"]?.number.map(milliseconds)
    return point(time, value["first"]?.number, value["last"]?.number, value["velocity"]?.number)
  }

  private static func point(
    _ time: Double?, _ first: Double?, _ last: Double?, _ velocity: Double? = nil
  ) -> Point? {
    guard let time, time.isFinite, let first, let first = Int(exactly: first), let last,
      let last = Int(exactly: last)
    else { return nil }
    return Point(
      milliseconds: time, first: first, last: last, velocity: velocity.flatMap { $0.isFinite ? $0 : nil })
  }

  /// Steps further apart than this, in seconds, are separate movements.
  private static let pause = 0.5
  /// The memory of a velocity tracker, in seconds.
  private static let window = 0.25
  /// A finger that rests this long, in seconds, has stopped, as in Android's tracker.
  private static let stillness = 0.04

  /// The path that shows exactly the recorded items at the recorded times.
  ///
  /// Between two steps the reader stands still; the reported speed, where none was recorded, is that of the last 0.25 s of the movement, which
  /// ends after twice the previous interval without a step, at least 40 ms. Zero-duration points are not visible,
  /// except at the end.
  public var path: ScrollPath {
    var segments: [ScrollSegment] = []
    for index in points.indices {
      let start = seconds(index)
      let isLast = index == points.count - 1
      let span = isLast ? 0 : seconds(index + 1) - start
      if let recorded = points[index].velocity {
        if span > 0 || isLast { segments.append(segment(index, start, span, recorded)) }
        continue
      }
      let velocity = isLast ? 0 : speed(at: index)
      let moving = velocity == 0 ? 0 : min(span, max(Self.stillness, 2 * (start - seconds(index - 1))))
      if moving > 0 { segments.append(segment(index, start, moving, velocity)) }
      if moving < span || isLast { segments.append(segment(index, start + moving, span - moving, 0)) }
    }
    return ScrollPath(items: items, segments: segments)
  }

  private func segment(
    _ index: Int, _ start: Double, _ span: Double, _ velocity: Double
  ) -> ScrollSegment {
    let point = points[index]
    return ScrollSegment(
      start: start, span: span, origin: Double(point.first), length: Double(point.last - point.first + 1),
      motion: .rest(reported: velocity))
  }

  private func seconds(_ index: Int) -> Double {
    (points[index].milliseconds - points[0].milliseconds) / 1000
  }

  /// Items per second of the movement that ends in a point, as far as they were not recorded; 0 after a pause.
  private func speed(at index: Int) -> Double {
    let now = seconds(index)
    var oldest = index
    while oldest > 0, seconds(oldest) - seconds(oldest - 1) <= Self.pause,
      oldest == index || now - seconds(oldest - 1) <= Self.window
    {
      oldest -= 1
    }
    let span = now - seconds(oldest)
    return span > 0 ? Double(points[index].first - points[oldest].first) / span : 0
  }
}
