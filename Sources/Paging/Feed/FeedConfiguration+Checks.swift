extension FeedConfiguration.Options {
  /// The first option that makes no sense, or nil.
  var firstMistake: InvalidConfiguration? {
    for check in [rangeMistake, sizeMistake, distanceMistake, keyMistake, limitMistake, retryMistake] {
      if let check { return check }
    }
    return nil
  }

  /// What is larger than the machine can compute with; whether it is too small is said below.
  private var rangeMistake: InvalidConfiguration? {
    let counts = [
      ("pageSize", pageSize), ("initialPageSize", initialPageSize), ("prefetchDistance", prefetchDistance),
      ("reloadThreshold", reloadThreshold), ("fruitlessLimit", fruitlessLimit),
      ("retries", retry.count),
    ]
    for (option, value) in counts {
      if let value, value > Limits.count { return mistake(option, value, "at most \(Limits.count)") }
    }
    if let maxItems, maxItems > Limits.total {
      return mistake("maxItems", maxItems, "at most \(Limits.total)")
    }
    if let maxInFlight, maxInFlight > Limits.inFlight {
      return mistake("maxInFlight", maxInFlight, "at most \(Limits.inFlight) fetches at once")
    }
    if let knownTotal, !(0...Limits.total ~= knownTotal) {
      return mistake("total", knownTotal, "a count from 0 to \(Limits.total)")
    }
    return nil
  }

  private var sizeMistake: InvalidConfiguration? {
    if pageSize < 1 { return mistake("pageSize", pageSize, "at least 1") }
    guard let initialPageSize else { return nil }
    if initialPageSize < 1 { return mistake("initialPageSize", initialPageSize, "at least 1") }
    if keys == .page, initialPageSize % pageSize != 0 {
      return mistake(
        "initialPageSize", initialPageSize, "a multiple of pageSize, which is \(pageSize), with page keys")
    }
    return nil
  }

  private var distanceMistake: InvalidConfiguration? {
    if !(leadingScreens >= 0 && leadingScreens.isFinite) {
      return mistake("leadingScreens", leadingScreens, "a number from 0 on")
    }
    if let prefetchDistance, prefetchDistance < 1 {
      return mistake("prefetchDistance", prefetchDistance, "at least 1")
    }
    guard let maxItems else { return nil }
    if releasesPassedItems {
      return mistake("maxItems", maxItems, "nothing while passed items are released")
    }
    let least = pageSize + 2 * (prefetchDistance ?? 0)
    if maxItems < least {
      return mistake(
        "maxItems", maxItems,
        "at least pageSize + 2 * prefetchDistance = \(pageSize) + 2 * \(prefetchDistance ?? 0) = \(least)")
    }
    return nil
  }

  private var keyMistake: InvalidConfiguration? {
    if keys == .cursor {
      if let maxInFlight, maxInFlight != 1 {
        return mistake("maxInFlight", maxInFlight, "1 with cursors, as each page names the next")
      }
      return nil
    }
    if let maxInFlight, maxInFlight < 1 { return mistake("maxInFlight", maxInFlight, "at least 1") }
    switch firstKey {
    case nil: return nil
    case .integer(let key) where -Limits.key...Limits.key ~= key: return nil
    case .integer(let key):
      return mistake(
        "firstKey", key,
        "an integer from -\(Limits.key) to \(Limits.key), as the host counts \(keys.rawValue)s")
    case .some(let key): return mistake("firstKey", key, "an integer, as the host counts \(keys.rawValue)s")
    }
  }

  private var limitMistake: InvalidConfiguration? {
    if let reloadThreshold, reloadThreshold < 0 {
      return mistake("reloadThreshold", reloadThreshold, "at least 0")
    }
    if fruitlessLimit < 1 { return mistake("fruitlessLimit", fruitlessLimit, "at least 1") }
    if let deadline, deadline <= .zero {
      return mistake("timeout", deadline.inSeconds, "more than 0 seconds")
    }
    return nil
  }

  private var retryMistake: InvalidConfiguration? {
    if retry.count < 0 { return mistake("retries", retry.count, "at least 0") }
    if retry.base < .zero { return mistake("backoff.base", retry.base.inSeconds, "at least 0 seconds") }
    if retry.cap < retry.base {
      return mistake("backoff.cap", retry.cap.inSeconds, "at least backoff.base = \(retry.base.inSeconds)")
    }
    return nil
  }

  private func mistake(_ option: String, _ value: some Any, _ expected: String) -> InvalidConfiguration {
    InvalidConfiguration(option: option, value: "\(value)", expected: expected)
  }
}
