import Paging
import Scripting

extension Voice {
  /// Says which totals disagree with what came: an error where items are missing, else a warning.
  func say(_ coverage: Coverage) {
    let shown = coverage.mismatches.prefix(10)
    for reading in shown {
      let mismatch = reading.mismatch
      let came = (mismatch.missing > 0 ? "only " : "") + Amount.count(mismatch.received) + " came"
      let text =
        "source '\(reading.source)' says that it has \(Amount.count(mismatch.total)) \(mismatch.total == 1 ? "item" : "items"), and \(came)"
      if mismatch.missing > 0 {
        error("error: \(text)\n  W\(Self.advice).")
      } else {
        warn("\(text): w\(Self.advice)")
      }
    }
    let others = coverage.mismatches.count - shown.count
    if others > 0 { warn("the totals of \(Amount.count(others)) other readings disagree too") }
  }

  private static let advice =
    "here its total is an estimate, leave it out: no total in the page, --total none of lookahead get"
}
