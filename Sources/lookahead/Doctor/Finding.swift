import Text

/// One thing that this machine has or lacks.
struct Finding: Equatable {
  /// What a finding means.
  enum State: String {
    case ok
    /// It holds scripts, and is not there.
    case missing
    /// Something can't be done without it.
    case absent
  }

  let name: String
  let state: State
  /// What is there, or what to do.
  let text: String

  var json: String {
    var object = JSONLine()
    object.add("name", name)
    object.add("state", state.rawValue)
    object.add("text", text)
    return object.text
  }

  /// Findings in columns.
  static func table(_ findings: [Finding]) -> String {
    let names = findings.map(\.name.cellWidth).max() ?? 0
    let states = findings.map(\.state.rawValue.cellWidth).max() ?? 0
    return findings.map { finding in
      finding.name.padded(to: names) + "  " + finding.state.rawValue.padded(to: states) + "  " + finding.text
    }.joined(separator: "\n")
  }
}
