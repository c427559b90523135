import Experiments

/// The trade-off between waste and stall that the settings of a policy offer together: the hypervolume of their front,
/// as a share of the possible (lab.md 1, point 7).
///
/// It is a share of the box from zero to a tenth beyond the worst row of the block, common to its policies: 1 waits for
/// nothing and wastes nothing, 0 is dominated everywhere.
struct FrontArea: Sendable, Equatable {
  /// The policy's name; nil for all policies of the block together.
  let policy: String?
  /// Number of settings in the front.
  let settings: Int
  /// From 0 to 1.
  let part: Double
  /// The worst corner of the box: waste in items and stall in seconds, a session.
  let reference: ParetoFront.Point

  /// For every policy with several settings, in order, and then for all together; empty if no policy has them, as a
  /// single row is its own front. Excludes oracles and candidates dropped by a race.
  static func all(of rows: [LabRow]) -> [FrontArea] {
    let rows = rows.filter(\.isComparable)
    var names: [String] = []
    for row in rows where !names.contains(row.setting.policy) { names.append(row.setting.policy) }
    let points = { (rows: [LabRow]) in
      rows.map { ParetoFront.Point(x: $0.mean(.waste), y: $0.mean(.stall)) }
    }
    let all = points(rows)
    guard names.count < rows.count,
      let waste = all.map(\.x).max(), let stall = all.map(\.y).max(), waste > 0, stall > 0
    else { return [] }
    let reference = ParetoFront.Point(x: 1.1 * waste, y: 1.1 * stall)
    func area(_ policy: String?, _ points: [ParetoFront.Point]) -> FrontArea {
      let part = ParetoFront(points).hypervolume(reference: reference) / (reference.x * reference.y)
      return FrontArea(policy: policy, settings: points.count, part: part, reference: reference)
    }
    return names.map { name in area(name, points(rows.filter { $0.setting.policy == name })) }
      + (names.count > 1 ? [area(nil, all)] : [])
  }

  /// The title in tables.
  var title: String { policy ?? "all policies" }

  /// What the numbers mean, for a caption.
  static func caption(_ areas: [FrontArea]) -> String {
    let corner = areas.first?.reference ?? .init(x: 0, y: 0)
    return "hypervolume: % of the box up to \(ReportNumber.fixed(corner.x, 1)) wasted items and "
      + "\(ReportNumber.fixed(corner.y, 3)) s of stall that the settings of a policy leave behind them"
  }
}
