import Experiments

/// Whose policies and sources are whose: what files call by one name is told apart by the file, as in `mine (old.lua)`.
///
/// ```swift
/// names.note("old.lua", in: experiment)
/// names.note("new.lua", in: experiment)
/// names.tellApart(&experiment)
/// ```
struct LabNames {
  /// The file of each policy and each source; nil for those named on the command line.
  private var policies: [String?] = []
  private var sources: [String?] = []
  /// The file that says which policy is the baseline.
  private var baseline: (name: String, file: String)?

  /// What the experiment has more than before is that file's.
  mutating func note(_ file: String, in experiment: Experiment) {
    if let name = experiment.baseline, name != baseline?.name { baseline = (name, file) }
    Self.extend(&policies, to: experiment.policies.count, with: file)
    Self.extend(&sources, to: experiment.sources.count, with: file)
  }

  /// What was named on the command line has no file.
  mutating func noteNamed(in experiment: Experiment) {
    Self.extend(&policies, to: experiment.policies.count, with: nil)
  }

  private static func extend(_ files: inout [String?], to count: Int, with file: String?) {
    while files.count < count { files.append(file) }
  }

  /// Puts the file behind a name that others have as well.
  func tellApart(_ experiment: inout Experiment) {
    let policyNames = Self.toldApart(experiment.policies.map(\.name), policies)
    if let (name, file) = baseline,
      let place = policies.indices.first(where: {
        policies[$0] == file && experiment.policies[$0].name == name
      })
    {
      experiment.baseline = policyNames[place]
    }
    for (place, name) in policyNames.enumerated() { experiment.policies[place].name = name }
    let sourceNames = Self.toldApart(experiment.sources.map(\.name), sources)
    for (place, name) in sourceNames.enumerated() { experiment.sources[place].name = name }
  }

  private static func toldApart(_ names: [String], _ files: [String?]) -> [String] {
    var counts: [String: Int] = [:]
    for name in names { counts[name, default: 0] += 1 }
    return zip(names, files).map { name, file in
      guard let file, counts[name, default: 0] > 1 else { return name }
      return "\(name) (\(file))"
    }
  }
}
