/// What a person did: which items were visible from when on.
///
/// The time of the last point is the end of the session.
public struct ViewportTrace: Sendable, Hashable {
  /// The viewport from a time on.
  public struct Point: Sendable, Hashable {
    /// Milliseconds; the trace begins at its first point, whatever its time.
    public let milliseconds: Double
    /// Index of the first visible item.
    public let first: Int
    /// Index of the last visible item; one less than the first when there is none.
    public let last: Int

    public init(milliseconds: Double, first: Int, last: Int) {
      self.milliseconds = milliseconds
      self.first = first
      self.last = last
    }
  }

  /// Items that the source has; nil when unknown.
  public let items: Int?
  /// The usual length of the viewport in items.
  public let viewport: Double
  /// Where it comes from.
  public let source: String
  /// By time, never empty.
  public let points: [Point]

  /// Fails with the number of a point that is no place, or that comes before the one in front of it.
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

  /// What a point should be, if it is not.
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

  /// FNV-1a over the rows as CSV, 16 hexadecimal digits: two traces of equal hashes are the same session.
  public var hash: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for point in points {
      for byte in Self.row(point).utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash = (hash ^ 10) &* 0x0000_0100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func row(_ point: Point) -> String {
    "\(InvalidWorld.plain(point.milliseconds)),\(point.first),\(point.last)"
  }
}
