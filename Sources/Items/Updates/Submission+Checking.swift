extension Submission {
  /// What moves is neither deleted nor moved twice; where it goes nothing is inserted and nothing else goes.
  func checkMoves() throws(UpdateError) {
    if !sectionMoves.isEmpty {
      try Submission.check(sectionMoves.map(\.from), apartFrom: sectionDeletions.map(\.section)) {
        UpdateError(.duplicatePath, section: $0)
      }
      try Submission.check(sectionMoves.map(\.to), apartFrom: sectionInsertions.map(\.section)) {
        UpdateError(.duplicatePath, section: $0)
      }
    }
    if !moves.isEmpty {
      try Submission.check(moves.map(\.from), apartFrom: deletions.map(\.path)) {
        UpdateError(.duplicatePath, path: $0)
      }
      try Submission.check(moves.map(\.to), apartFrom: insertions.map(\.path)) {
        UpdateError(.duplicatePath, path: $0)
      }
    }
  }

  /// No place is named twice by one kind of operation.
  func checkDuplicates() throws(UpdateError) {
    for sections in [sectionDeletions, sectionInsertions, sectionReloads] {
      try Submission.check(sections.map(\.section)) { UpdateError(.duplicatePath, section: $0) }
    }
    for places in [deletions, insertions, reloads.flatMap(\.self)] {
      try Submission.check(places.map(\.path)) { UpdateError(.duplicatePath, path: $0) }
    }
  }

  private static func check<Place: Hashable>(
    _ places: [Place], apartFrom others: [Place] = [], _ fault: (Place) -> UpdateError
  ) throws(UpdateError) {
    guard places.count > 1 || !others.isEmpty else { return }
    var seen = Set(others)
    for place in places where !seen.insert(place).inserted { throw fault(place) }
  }
}
