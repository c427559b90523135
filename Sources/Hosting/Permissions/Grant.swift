/// What a run may access of one kind of resource.
public enum Grant<Entry: Sendable & Equatable>: Sendable, Equatable {
  case none
  case all
  case only([Entry])

  /// Whether an entry, or everything, covers what `isCovered` looks for.
  func covers(_ isCovered: (Entry) -> Bool) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .only(let entries): entries.contains(where: isCovered)
    }
  }
}

/// A grant and its exceptions: a denial overrides any grant.
public struct Access<Entry: Sendable & Equatable>: Sendable, Equatable {
  public var granted: Grant<Entry>
  public var denied: Grant<Entry>

  /// Access to what is granted and not denied.
  public init(_ granted: Grant<Entry> = .none, denied: Grant<Entry> = .none) {
    self.granted = granted
    self.denied = denied
  }

  /// Why access is refused, or nil.
  func refusal(_ isCovered: (Entry) -> Bool) -> Refusal? {
    if denied.covers(isCovered) { return .denied }
    return granted.covers(isCovered) ? nil : .notGranted
  }
}

/// The two reasons for a refusal.
enum Refusal {
  case notGranted
  case denied
}

extension Grant where Entry == String {
  /// The grant with more entries; everything stays everything.
  func adding(_ more: [String]) -> Grant {
    switch self {
    case .all: .all
    case .none: .only(more)
    case .only(let entries): .only(entries + more)
    }
  }
}
