/// The energy of a phone's radio: it is promoted when a request finds it idle, works while any is under way, and stays awake for a
/// while after the last.
///
/// Numbers of an LTE phone by Huang and others (MobiSys 2012, table 3): 1.21 W for 0.26 s of promotion, 1.288 W while it works
/// and 52 mW for each Mbit/s that it receives, 1.06 W for 11.6 s after that. The idle radio of a session costs nothing.
struct Radio: Sendable {
  private static let promotion = 1.2107 * 0.2601
  private static let working = 1.28804
  private static let tail = 1.06
  private static let tailSeconds = 11.576
  private static let joulesPerMegabyte = 0.05197 * 8

  private var underway = 0
  /// When it began to work.
  private var since = 0.0
  /// When its work ended; nil before the first.
  private var restsSince: Double?
  private var spent = 0.0

  /// A request is sent.
  mutating func began(at now: Double) {
    underway += 1
    guard underway == 1 else { return }
    let rest = restsSince.map { now - $0 } ?? .infinity
    spent +=
      rest < Self.tailSeconds ? rest * Self.tail : Self.promotion + (restsSince == nil ? 0 : Self.tailEnergy)
    since = now
  }

  /// An answer came, or nobody wants it any more.
  mutating func ended(at now: Double) {
    underway -= 1
    guard underway == 0 else { return }
    spent += (now - since) * Self.working
    restsSince = now
  }

  /// The energy of a session that ends then and has received so much, in joules: with the tail of its last request.
  func joules(at end: Double, megabytes: Double) -> Double {
    let last = underway > 0 ? (end - since) * Self.working : 0
    let isUsed = underway > 0 || restsSince != nil
    return spent + last + (isUsed ? Self.tailEnergy : 0) + megabytes * Self.joulesPerMegabyte
  }

  private static var tailEnergy: Double { tail * tailSeconds }
}
