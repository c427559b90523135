/// What a call wants that no option allows, named exactly: an answer is about this and nothing beside it.
enum Want: Sendable, Hashable {
  case variable(String)
  /// Where the call arrives, symlinks followed.
  case file(ResolvedPath)
  /// The names in it.
  case folder(ResolvedPath)
  /// A scheme, a host and a port, as `https://api.example.com:8443`.
  case origin(HTTPAddress)

  /// The origin of an address, and nothing else of it.
  init?(reaching address: HTTPAddress) {
    guard let origin = try? HTTPAddress(address.origin) else { return nil }
    self = .origin(origin)
  }

  /// What can be allowed along with it: nil if nothing can.
  var surroundings: Surroundings? {
    switch self {
    case .variable: nil
    case .file(let path): path.folder.flatMap { $0.isRoot ? nil : .folder($0) }
    case .folder(let path): path.isRoot ? nil : .folder(path)
    case .origin(let address): .host(address.host)
    }
  }

  /// The wanted thing and what is around it.
  enum Surroundings: Sendable, Hashable {
    /// Everything below it.
    case folder(ResolvedPath)
    /// All its ports.
    case host(HostName)
  }
}

/// What a person answered.
enum Verdict: Int32 {
  case no, once
  /// For the rest of the run.
  case always
  /// For the rest of the run, with its surroundings.
  case surroundings
  /// There was no answer: no terminal, or the run is to end.
  case none
}

/// What a person has allowed beyond the options, and what not, for the rest of a run.
struct Answers {
  private var wants: Set<Want> = []
  private var refused: Set<Want> = []
  private var folders: Set<ResolvedPath> = []
  private var hosts: Set<HostName> = []

  /// Adds an answer that lasts.
  mutating func add(_ verdict: Verdict, to want: Want) {
    switch verdict {
    case .none, .once: break
    case .no: refused.insert(want)
    case .always: wants.insert(want)
    case .surroundings:
      switch want.surroundings {
      case .folder(let path): folders.insert(path)
      case .host(let host): hosts.insert(host)
      case nil: wants.insert(want)
      }
    }
  }

  /// What is known already; nil if a person has to be asked.
  func verdict(on want: Want) -> Verdict? {
    if refused.contains(want) { return .no }
    return wants.contains(want) || isSurrounded(want) ? .always : nil
  }

  private func isSurrounded(_ want: Want) -> Bool {
    switch want {
    case .variable: false
    case .file(let path), .folder(let path): folders.contains(where: path.isWithin)
    case .origin(let address): hosts.contains(address.host)
    }
  }
}
