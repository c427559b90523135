/// What a run was given of one kind of resource.
public enum Grant<Entry: Sendable & Equatable>: Sendable, Equatable {
  case none
  case all
  case only([Entry])

  /// Whether one of the entries, or all there is, covers what `isCovered` looks for.
  func covers(_ isCovered: (Entry) -> Bool) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .only(let entries): entries.contains(where: isCovered)
    }
  }
}

/// A grant, and what is taken out of it again: what is denied is denied, whatever was granted.
public struct Access<Entry: Sendable & Equatable>: Sendable, Equatable {
  public var granted: Grant<Entry>
  public var denied: Grant<Entry>

  /// Access to what is granted and not denied.
  public init(_ granted: Grant<Entry> = .none, denied: Grant<Entry> = .none) {
    self.granted = granted
    self.denied = denied
  }

  /// Why there is no access, or nil.
  func refusal(_ isCovered: (Entry) -> Bool) -> Refusal? {
    if denied.covers(isCovered) { return .denied }
    return granted.covers(isCovered) ? nil : .notGranted
  }
}

/// The two ways of having no access.
enum Refusal {
  case notGranted
  case denied
}

extension Grant where Entry == String {
  /// With more entries; all there is stays that.
  func adding(_ more: [String]) -> Grant {
    switch self {
    case .all: .all
    case .none: .only(more)
    case .only(let entries): .only(entries + more)
    }
  }
}
