import Experiments

/// How good the trade between waste and stall is that the settings of a policy offer together: the hypervolume of their
/// front, as a part of all that could be had (lab.md 1, point 7).
///
/// The part is of the box from nothing at all to a tenth beyond the worst row of the block, which is the same for all its
/// policies: 1 waits for nothing and wastes nothing, 0 offers nothing that others do not beat everywhere.
struct FrontArea: Sendable, Equatable {
  /// The policy's name; nil is all policies of the block together.
  let policy: String?
  /// Number of the settings on which the front is computed.
  let settings: Int
  /// From 0 to 1.
  let part: Double
  /// The worst corner of the box: waste in items and stall in seconds, a session.
  let reference: ParetoFront.Point

  /// Of every policy with several settings, in their order, and then of all together; nothing where no policy has them, as
  /// a row by itself is its own front. Oracles and what a race dropped are left out.
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

  /// As tables show it.
  var title: String { policy ?? "all policies" }

  /// What the figures mean, for a caption.
  static func caption(_ areas: [FrontArea]) -> String {
    let corner = areas.first?.reference ?? .init(x: 0, y: 0)
    return "hypervolume: % of the box up to \(ReportNumber.fixed(corner.x, 1)) wasted items and "
      + "\(ReportNumber.fixed(corner.y, 3)) s of stall that the settings of a policy leave behind them"
  }
}
