/// Jumps of a reader who goes by places, and when they are due.
extension Feed {
  /// The jump that leads to places, if they are not reached page by page.
  func jump(to wanted: Viewport) -> ListPlaces.Jump? {
    places.jump(to: wanted, held: itemCount) { isStuck($0) }
  }

  /// When a jump that was put off is due; nil if none was.
  var jumpsAt: Instant? {
    guard places.replacing != nil, activity == .deciding else { return nil }
    return places.wanted.flatMap { jump(to: $0)?.due }
  }

  /// When something is due next; nil if nothing is.
  var nextMoment: Instant? {
    guard let jump = jumpsAt else { return pages.nextMoment }
    return min(pages.nextMoment ?? jump, jump)
  }

  /// Whether a side goes no further before somebody says so: a page of it failed for good.
  func isStuck(_ side: Direction) -> Bool { if case .gaveUp = state(of: side) { true } else { false } }
}
