import Paging

/// How much of its time a loop waits, a moment ago.
struct WaitingShare {
  private static let window = Duration.milliseconds(5)

  private var since = Instant.ofThisMachine
  private var waited = Duration.zero
  private var waitsSince: Instant?
  /// Whether it has hardly time for anything else; where it waits about half of its time, this stays as it was.
  private(set) var isBusy = true

  /// It waits from now on.
  mutating func begin() { waitsSince = .ofThisMachine }

  /// It goes on, if it has waited.
  mutating func goOn() {
    let now = Instant.ofThisMachine
    if let waitsSince { waited += now - waitsSince }
    waitsSince = nil
    let time = now - since
    guard time >= Self.window else { return }
    if waited * 3 < time { isBusy = true }
    if waited * 3 > time * 2 { isBusy = false }
    (since, waited) = (now, .zero)
  }
}
