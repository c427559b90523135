/// Files and folders that are granted and denied, and where they are.
struct PathRules: Sendable, Equatable {
  private let granted: Grant<ResolvedPath>
  private let deniedAtFirst: Grant<ResolvedPath>
  private let denied: Grant<String>

  /// What is granted is looked for once, here: a symlink that is put in its place later grants nothing. What is denied is
  /// looked for again at each check as well.
  init(_ access: Access<String>) {
    granted = access.granted.resolved
    deniedAtFirst = access.denied.resolved
    denied = access.denied
  }

  /// Why there is no access to the file, or nil.
  func refusal(_ target: ResolvedPath) -> Refusal? {
    if deniedAtFirst.covers(target.isWithin) { return .denied }
    if denied.covers({ ResolvedPath($0).map(target.isWithin) ?? false }) { return .denied }
    return granted.covers(target.isWithin) ? nil : .notGranted
  }
}

extension Grant<String> {
  /// Where the entries are now; one that is nowhere covers nothing.
  var resolved: Grant<ResolvedPath> {
    switch self {
    case .none: .none
    case .all: .all
    case .only(let entries): .only(entries.compactMap(ResolvedPath.init))
    }
  }
}
