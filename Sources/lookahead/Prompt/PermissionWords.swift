import Hosting

/// What is allowed, in a line.
struct PermissionWords {
  let line: String

  init(_ permissions: Permissions) {
    let parts = [
      Self.words("net", permissions.net.granted) { "\($0)" },
      Self.words("read", permissions.read.granted) { $0 },
      Self.words("write", permissions.write.granted) { $0 },
      Self.words("env", permissions.environment.granted) { $0 },
    ]
    line = "allowed: " + parts.joined(separator: ", ") + " (:grant allows more)"
  }

  private static func words<Entry>(_ kind: String, _ grant: Grant<Entry>, _ text: (Entry) -> String) -> String
  {
    switch grant {
    case .none: "no \(kind)"
    case .all: "all \(kind)"
    case .only(let entries): "\(kind) \(entries.map(text).joined(separator: " "))"
    }
  }
}
