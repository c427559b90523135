/// How many tokens live.
final class Tally {
  var living = 0
}

/// An object whose life is counted.
final class Token {
  private let tally: Tally

  init(_ tally: Tally) {
    self.tally = tally
    tally.living += 1
  }

  deinit { tally.living -= 1 }
}
