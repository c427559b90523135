import Hosting

/// What became of the output of a run that failed, in a line behind its error; nothing where all of it is where it was to go.
struct Remains {
  private let remains: SinkRemains
  private let output: String

  init(_ remains: SinkRemains = SinkRemains(), of output: String = "-") {
    self.remains = remains
    self.output = output
  }

  /// Whether there is nothing to say.
  var isEmpty: Bool { remains == SinkRemains() }

  /// Begins with a line break.
  var text: String {
    if remains.isUndone { return "\n  \(output) is as it was before this run" }
    guard let first = remains.aside.first else { return "" }
    let more = remains.aside.count - 1
    let files = more > 0 ? "\(first) and \(more) more" : first
    let old = remains.keepsOld ? "\(output) is as it was; " : ""
    return "\n  \(old)what this run wrote is in \(files)"
  }
}
