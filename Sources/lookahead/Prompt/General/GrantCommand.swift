import Hosting
import Paging

/// `:grant`: extends the scripts' permissions, from now on.
enum GrantCommand {
  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    guard !text.isEmpty else { return session.say(PermissionWords(session.world.permissions).line) }
    var permissions = session.world.permissions
    for word in text.split(whereSeparator: \.isWhitespace) { try grant(String(word), in: &permissions) }
    session.world.permit(permissions)
    session.say(PermissionWords(permissions).line)
  }

  /// `net=a,b` grants those, `net` alone everything.
  private static func grant(_ word: String, in permissions: inout Permissions) throws(PromptFault) {
    let word = word.hasPrefix("--allow-") ? String(word.dropFirst(8)) : word
    let kind = String(word.prefix { $0 != "=" })
    let names = word.dropFirst(kind.count + 1).split(separator: ",").map(String.init)
    let isAll = kind == word || names.contains("*")
    guard isAll || !names.isEmpty else { throw PromptFault(":grant \(kind)= expects a name behind the =") }
    switch kind {
    case "net":
      var patterns: [NetPattern] = []
      for name in names where !isAll { patterns.append(try pattern(name)) }
      permissions.net.granted = permissions.net.granted.with(isAll ? nil : patterns)
    case "read": permissions.read.granted = permissions.read.granted.with(isAll ? nil : paths(names))
    case "write": permissions.write.granted = permissions.write.granted.with(isAll ? nil : paths(names))
    case "env": permissions.environment.granted = permissions.environment.granted.with(isAll ? nil : names)
    default:
      throw PromptFault(
        "there is nothing to grant that is called \(kind)",
        hint: "As :grant net=api.example.com, read=data, write=out, env=TOKEN.")
    }
  }

  private static func pattern(_ name: String) throws(PromptFault) -> NetPattern {
    do throws(HostFailure) {
      return try NetPattern(name)
    } catch {
      throw PromptFault(error.message)
    }
  }

  private static func paths(_ names: [String]) -> [String] { names.map { PromptPaths.expanded($0) } }
}

extension Grant {
  /// With these entries besides; nil is all there is.
  func with(_ entries: [Entry]?) -> Grant {
    guard let entries, self != .all else { return .all }
    guard case .only(let before) = self else { return .only(entries) }
    return .only(before + entries.filter { !before.contains($0) })
  }
}

/// The permissions, in one line.
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
