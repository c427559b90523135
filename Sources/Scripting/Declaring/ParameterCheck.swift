import Paging

/// The user's parameter values, checked against the script's declarations.
struct ParameterCheck {
  /// The given names.
  var names: [String]
  /// Those given as secrets; messages name that option.
  var secrets: Set<String>
  /// Those given for any script: one that does not declare them runs anyway.
  var environment: Set<String>

  /// What is wrong with the first value whose parameter the script does not declare.
  func mistake(_ declarations: Declarations) -> String? {
    let known = declarations.parameters.map(\.name).sorted()
    let given = names.filter { !environment.contains($0) }.sorted()
    guard let unknown = given.first(where: { !known.contains($0) }) else { return nil }
    let option = secrets.contains(unknown) ? "--secret" : "--param"
    let hint = known.isEmpty ? " (it has none)" : NearestName.hint(unknown, in: known)
    return "\(option) \(unknown): the script has no such parameter\(hint)"
  }

  /// Parameters from the environment that are perhaps meant for another script.
  func ignored(_ declarations: Declarations) -> [String] {
    environment.subtracting(declarations.parameters.map(\.name)).sorted().map { name in
      let variable = secrets.contains(name) ? "LOOKAHEAD_SECRET" : "LOOKAHEAD_PARAM"
      return "\(variable) in the environment gives '\(name)', which this script does not have: ignored"
    }
  }
}
