import Hosting

/// What to do where the disk refused an output, in a line after its error; empty where something else is wrong.
struct Mending {
  /// Begins with a line break.
  let text: String

  /// For a run that has ended; one that remembers how far it came goes on.
  init(_ report: SinkReport, remembers: Bool) {
    let next = remembers ? "goes on" : "begins anew"
    text = report.isDiskFailure ? "\n  When it can be written again, the same command \(next)." : ""
  }

  /// For a run that never began.
  init(_ error: SinkError) {
    text = error.isDiskFailure ? "\n  When it can be written again, run the same command again." : ""
  }
}
