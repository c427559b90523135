public import Experiments
import Items
import Text

/// The result in long form: one number per line, for other tools. The lines are produced lazily.
///
/// Columns: `run,source,workload,network,policy`, the parameters of the sweep, `part,session,metric,value`. A line
/// without a session covers all sessions of its part: `stall.mean` with the ends of its interval, `stall.low` and `stall.high`,
/// then `stall.p50`, `stall.p95`, `stall.worst`, and against the baseline `stall.difference`, `stall.differenceLow` and
/// `stall.differenceHigh`, and with all comparisons together `stall.differenceAdjustedLow` and `stall.differenceAdjustedHigh`.
/// A session is in one part only. A row that failed is one line, with the metric `failure` and the error as its value.
public struct CSVReport: Sequence {
  private let contents: ReportContents
  private let run: String

  /// `run` distinguishes combined results; by default the seed.
  public init(_ result: LabResult, run: String? = nil) {
    contents = ReportContents(result)
    self.run = run ?? String(result.seed)
  }

  /// The header first; every line ends in a newline (RFC 4180, with ` `).
  public func makeIterator() -> Iterator { Iterator(contents, run) }

  /// The lines, one at a time.
  public struct Iterator: IteratorProtocol {
    private let rows: [LabRow]
    private let parameters: [String]
    private let run: String
    private let isSplit: Bool
    private var row = -1
    /// Lines of the row produced so far.
    private var place = 0
    private var prefix = ""
    private var totals: [(name: String, value: Double)] = []

    init(_ contents: ReportContents, _ run: String) {
      rows = contents.result.rows
      parameters = contents.parameterNames
      self.run = run
      isSplit = contents.blocks.contains { !$0.splits.isEmpty }
    }

    /// The next line; nil at the end.
    public mutating func next() -> String? {
      if row < 0 {
        begin(0)
        let names = ["run", "source", "workload", "network", "policy"] + parameters
        return (names + ["part", "session", "metric", "value"]).map(CSVReport.field).joined(separator: ",")
          + "\n"
      }
      while row < rows.count {
        if let line = line() {
          place += 1
          return line
        }
        begin(row + 1)
      }
      return nil
    }

    private mutating func begin(_ number: Int) {
      (row, place) = (number, 0)
      guard row < rows.count else { return }
      let setting = rows[row].setting
      var fields = [run, setting.source, setting.workload, setting.network, setting.policy]
      for name in parameters { fields.append(setting.parameters.first { $0.name == name }?.text ?? "") }
      prefix = (fields + [rows[row].part.rawValue]).map(CSVReport.field).joined(separator: ",")
      totals = CSVReport.totals(rows[row])
    }

    private func line() -> String? {
      if let failure = rows[row].failure {
        return place == 0 ? "\(prefix),,failure,\(CSVReport.field("\(failure)"))\n" : nil
      }
      let metrics = Metric.allCases
      if place < totals.count {
        let total = totals[place]
        return "\(prefix),,\(total.name),\(CSVReport.number(total.value))\n"
      }
      let (session, metric) = (place - totals.count).quotientAndRemainder(dividingBy: metrics.count)
      guard session < rows[row].scores.count, !isSplit || rows[row].part != .all else { return nil }
      let score = rows[row].scores[session]
      return
        "\(prefix),\(score.session),\(metrics[metric].rawValue),\(CSVReport.number(score[metrics[metric]]))\n"
    }
  }

  static func number(_ value: Double) -> String { value.isFinite ? ReportNumber.short(value, 6) : "" }

  static func totals(_ row: LabRow) -> [(name: String, value: Double)] {
    Metric.allCases.flatMap { metric -> [(name: String, value: Double)] in
      let name = metric.rawValue
      var totals: [(name: String, value: Double)] = []
      if let summary = row.summaries[metric] {
        let interval = row.interval(metric) ?? (low: .nan, high: .nan)
        totals += [
          ("\(name).mean", summary.mean), ("\(name).low", interval.low), ("\(name).high", interval.high),
        ]
        totals += [
          ("\(name).p50", summary.p50), ("\(name).p95", summary.p95), ("\(name).worst", summary.worst),
        ]
      }
      if let comparison = row.comparisons[metric] {
        totals += [("\(name).difference", comparison.mean), ("\(name).differenceLow", comparison.low)]
        totals += [
          ("\(name).differenceHigh", comparison.high),
          ("\(name).differenceAdjustedLow", comparison.adjustedLow),
          ("\(name).differenceAdjustedHigh", comparison.adjustedHigh),
        ]
      }
      return totals
    }
  }

  /// A text as a field, quoted if necessary; names and errors may contain anything.
  static func field(_ text: String) -> String { CSVStyle().cell(HarmlessText.lines(text)) }
}
