/// The points that no other beats in both coordinates; less is better.
public struct ParetoFront: Sendable, Equatable {
  /// The coordinates of a choice, such as its waste and its stall.
  public struct Point: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Indices of the points on the front, ascending in x; equal points are all on it, in order.
  public let indices: [Int]
  /// The points on the front, in the same order.
  public let points: [Point]

  /// The front of some points; NaN is never on it. O(n log n).
  public init(_ points: [Point]) {
    let order = points.indices.filter { !points[$0].x.isNaN && !points[$0].y.isNaN }
      .sorted { (points[$0].x, points[$0].y, $0) < (points[$1].x, points[$1].y, $1) }
    var front: [Int] = []
    for index in order {
      let last = front.last.map { points[$0] }
      if last.map({ points[index].y < $0.y || points[index] == $0 }) ?? true { front.append(index) }
    }
    indices = front
    self.points = front.map { points[$0] }
  }

  /// The knee: the point on the front that lies farthest from the line between its ends, both coordinates in parts of their range.
  /// Before it less waste is bought with little stall, behind it with much. Nil for fewer than three different points, and
  /// for a front that is as good as straight.
  public var knee: Int? {
    guard let first = points.first, let last = points.last, last.x > first.x, first.y > last.y else {
      return nil
    }
    // The line runs from (0, 1) to (1, 0); what lies below it has a sum less than one.
    let distances = points.map {
      1 - ($0.x - first.x) / (last.x - first.x) - ($0.y - last.y) / (first.y - last.y)
    }
    guard let place = distances.indices.max(by: { distances[$0] < distances[$1] }), distances[place] > 0.05
    else {
      return nil
    }
    return indices[place]
  }

  /// The area dominated by the front, up to a reference point worse than all: the larger, the better. Points beyond the
  /// reference add nothing.
  public func hypervolume(reference: Point) -> Double {
    var area = 0.0
    var height = reference.y
    for point in points where point.x < reference.x && point.y < height {
      area += (reference.x - point.x) * (height - point.y)
      height = point.y
    }
    return area
  }
}
