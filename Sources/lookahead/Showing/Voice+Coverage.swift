import Paging
import Scripting

extension Voice {
  /// Says which totals disagree with what came: an error where items are missing, else a warning; and what became of the
  /// output.
  func say(_ coverage: Coverage, _ remains: Remains) {
    let shown = coverage.mismatches.prefix(10)
    let last = shown.lastIndex { $0.mismatch.missing > 0 }
    for (place, reading) in shown.enumerated() {
      let mismatch = reading.mismatch
      let came = (mismatch.missing > 0 ? "only " : "") + Amount.count(mismatch.received) + " came"
      let items = Amount.count(mismatch.total) + (mismatch.total == 1 ? " item" : " items")
      let text = "source '\(reading.source)' says that it has \(items), and \(came)"
      if mismatch.repeated > 0 {
        warn(text + Self.again(mismatch))
      } else if mismatch.missing > 0 {
        error("error: \(text)\n  W\(Self.advice).\(place == last ? remains.text : "")")
      } else {
        warn("\(text): w\(Self.advice)")
      }
    }
    let others = coverage.mismatches.count - shown.count
    if others > 0 { warn("the totals of \(Amount.count(others)) other readings disagree too") }
  }

  /// Where a list moves between two requests, an item slips over the border of a page: one comes again, another one never.
  private static func again(_ mismatch: TotalMismatch) -> String {
    ", \(Amount.count(mismatch.repeated)) of them again, so that \(Amount.count(mismatch.received - mismatch.repeated)) are there: "
      + "either its id is not unique (id = …), or the list moved while it was read (read it in a fixed order, "
      + "with -j 1 or a cursor)"
  }

  private static let advice =
    "here its total is an estimate, leave it out: no total in the page, --total none of lookahead get"
}
