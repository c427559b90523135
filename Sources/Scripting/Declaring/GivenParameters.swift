import Paging

/// The values that a person gave for parameters, compared with those that the script declares.
struct GivenParameters {
  /// The names that were given.
  var names: [String]
  /// Those that were given as secrets; messages name that option.
  var secrets: Set<String>
  /// Those that were given for whichever script runs: one that has none of that name goes on.
  var environment: Set<String>

  /// What is wrong with the first value that was given for a parameter that the script does not have.
  func mistake(_ declarations: Declarations) -> String? {
    let known = declarations.parameters.map(\.name).sorted()
    let given = names.filter { !environment.contains($0) }.sorted()
    guard let unknown = given.first(where: { !known.contains($0) }) else { return nil }
    let option = secrets.contains(unknown) ? "--secret" : "--param"
    let hint = known.isEmpty ? " (it has none)" : NearestName.hint(unknown, in: known)
    return "\(option) \(unknown): the script has no such parameter\(hint)"
  }

  /// What the environment gives and is perhaps meant for another script.
  func ignored(_ declarations: Declarations) -> [String] {
    environment.subtracting(declarations.parameters.map(\.name)).sorted().map { name in
      let variable = secrets.contains(name) ? "LOOKAHEAD_SECRET" : "LOOKAHEAD_PARAM"
      return "\(variable) in the environment gives '\(name)', which this script does not have: ignored"
    }
  }
}
