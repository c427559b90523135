/// What a response says about retrying; one that is no failure says nothing.
struct RetryAdvice: Sendable, Equatable {
  /// The host asks all callers to slow down.
  let isRateLimit: Bool
  /// How long to wait, if given.
  let wait: Duration?

  /// `now` is in seconds since 1970, for dates in responses without a `Date`.
  init(_ response: HTTPResponse, now: Double? = nil) {
    guard response.status >= 400 else {
      (isRateLimit, wait) = (false, nil)
      return
    }
    let headers = response.headers
    let here = headers["Date"].flatMap(HTTPDate.seconds) ?? now
    let asked = headers["Retry-After"].flatMap { RetryAdvice.wait($0, here: here) }
    let remaining = headers["RateLimit-Remaining"] ?? headers["X-RateLimit-Remaining"]
    let isSpent = remaining?.trimmed == "0"
    isRateLimit =
      switch response.status {
      case 429: true
      case 420, 503: asked != nil
      case 403: asked != nil || isSpent
      default: false
      }
    let reset = headers["RateLimit-Reset"] ?? headers["X-RateLimit-Reset"]
    let mayCount = isRateLimit && (isSpent || remaining == nil)
    wait = asked ?? (mayCount ? reset.flatMap { RetryAdvice.wait($0, here: here) } : nil)
  }

  /// A number of seconds, a time in seconds or milliseconds since 1970, or a date.
  private static func wait(_ text: String, here: Double?) -> Duration? {
    let text = text.trimmed
    if let number = Double(text), number.isFinite {
      guard number >= 1_000_000_000 else { return duration(number) }
      let time = number < 100_000_000_000 ? number : number / 1000
      return here.flatMap { duration(time - $0) }
    }
    guard let date = HTTPDate.seconds(text), let here else { return nil }
    return duration(date - here)
  }

  private static func duration(_ seconds: Double) -> Duration {
    .nanoseconds(Int64(min(max(0, seconds), 1e9) * 1e9))
  }
}

extension String {
  /// Without surrounding white space.
  var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
