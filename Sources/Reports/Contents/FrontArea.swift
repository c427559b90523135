import Experiments

/// The trade-off between waste and stall that the settings of a policy offer together: the hypervolume of their front,
/// as a share of the possible (lab.md 1, point 7).
///
/// It is a share of a box with a fixed corner, the same for every result, so that two results can be compared: 1 waits
/// for nothing and wastes nothing, 0 is beyond the corner. Its scales are logarithmic, or it could not tell worlds of
/// 0.1 s apart from worlds of a minute: log(1 + waste) and log(1 + stall / 0.1 s).
struct FrontArea: Sendable, Equatable {
  /// The worst corner of the box: waste in items and stall in seconds, a session.
  static let corner = ParetoFront.Point(x: 1000, y: 100)
  /// Amounts below are told apart as on a linear scale.
  private static let unit = ParetoFront.Point(x: 1, y: 0.1)

  /// The policy's name; nil for all policies of the block together.
  let policy: String?
  /// Number of settings in the front.
  let settings: Int
  /// From 0 to 1.
  let part: Double

  /// For every policy with several settings, in order, and then for all together; empty if no policy has them, as a
  /// single row is its own front. Excludes oracles and candidates dropped by a race.
  static func all(of rows: [LabRow]) -> [FrontArea] {
    let rows = rows.filter(\.isComparable)
    var names: [String] = []
    for row in rows where !names.contains(row.setting.policy) { names.append(row.setting.policy) }
    guard names.count < rows.count else { return [] }
    func area(_ policy: String?, _ rows: [LabRow]) -> FrontArea {
      let front = ParetoFront(rows.map { scaled(.init(x: $0.mean(.waste), y: $0.mean(.stall))) })
      return FrontArea(
        policy: policy, settings: rows.count, part: front.hypervolume(reference: .init(x: 1, y: 1)))
    }
    return names.map { name in area(name, rows.filter { $0.setting.policy == name }) }
      + (names.count > 1 ? [area(nil, rows)] : [])
  }

  /// In the unit square.
  private static func scaled(_ point: ParetoFront.Point) -> ParetoFront.Point {
    func part(_ value: Double, _ unit: Double, _ corner: Double) -> Double {
      Elementary.log(1 + max(0, value) / unit) / Elementary.log(1 + corner / unit)
    }
    return .init(x: part(point.x, unit.x, corner.x), y: part(point.y, unit.y, corner.y))
  }

  /// The title in tables.
  var title: String { policy ?? "all policies" }

  /// What the numbers mean.
  static let caption =
    "hypervolume: % of the box up to 1000 wasted items and 100 s of stall, on log scales, that the settings of a policy "
    + "leave behind them; the corner is the same in every report"
}
