import Experiments

/// The rows of one policy along one parameter, with the other parameters fixed.
struct SweepSeries {
  let title: String
  /// By parameter, ascending.
  let rows: [(value: Double, row: LabRow)]

  /// Rows that differ only in this parameter, as series of at least two values.
  static func all(_ rows: [LabRow], along parameter: String) -> [SweepSeries] {
    var order: [LabSetting] = []
    var found: [LabSetting: [(value: Double, row: LabRow)]] = [:]
    for row in rows {
      guard let value = row.setting.parameters.first(where: { $0.name == parameter })?.value, value.isFinite
      else { continue }
      var rest = row.setting
      rest.parameters.removeAll { $0.name == parameter }
      if found[rest] == nil { order.append(rest) }
      found[rest, default: []].append((value, row))
    }
    return order.compactMap { rest in
      let rows = (found[rest] ?? []).sorted { $0.value < $1.value }
      return Set(rows.map(\.value)).count > 1 ? SweepSeries(title: rest.policyTitle, rows: rows) : nil
    }
  }
}
