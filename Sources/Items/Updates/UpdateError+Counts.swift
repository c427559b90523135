extension UpdateError {
  /// Throws when a change that was made for some counts of items per section meets others.
  public static func check(_ expected: [Int], against counts: [Int]) throws(UpdateError) {
    guard expected.count == counts.count else {
      var error = UpdateError(.invalidSectionCount)
      (error.old, error.new) = (expected.count, counts.count)
      throw error
    }
    for (section, count) in counts.enumerated() where count != expected[section] {
      throw UpdateError(.invalidItemCount, section: section, old: expected[section], new: count)
    }
  }
}
