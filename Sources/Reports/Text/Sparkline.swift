/// A distribution on one line: the counts in equal parts of a range, as blocks of eight heights.
enum Sparkline {
  private static let levels = Array("▁▂▃▄▅▆▇█")

  /// Parts from zero to `limit`; the last one includes everything beyond. An empty part is a space.
  static func text(_ values: [Double], upTo limit: Double, parts: Int = 12) -> String {
    guard !values.isEmpty, parts > 0 else { return "" }
    var counts = [Int](repeating: 0, count: parts)
    for value in values where value.isFinite {
      let part = limit > 0 ? max(0, value) / limit * Double(parts) : 0
      counts[min(parts - 1, Int(min(part, Double(parts))))] += 1
    }
    let most = max(1, counts.max() ?? 1)
    return String(
      counts.map { count in
        count == 0 ? " " : levels[min(levels.count - 1, count * levels.count / (most + 1))]
      })
  }
}
