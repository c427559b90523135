import ArgumentParser

/// A script to start from, which runs as it is.
enum ScriptTemplate: String, CaseIterable, ExpressibleByArgument {
  case source, policy, experiment, workflow

  /// The script of that name, which is going to be in that file.
  func text(name: String, file: String) -> String {
    String(decoding: bytes, as: UTF8.self)
      .replacing("\"NAME\"", with: Self.quoted(name))
      .replacing("NAME", with: name)
      .replacing("FILE", with: file.quotedForShells)
  }

  private var bytes: [UInt8] {
    switch self {
    case .source: PackageResources.source_lua
    case .policy: PackageResources.policy_lua
    case .experiment: PackageResources.experiment_lua
    case .workflow: PackageResources.workflow_lua
    }
  }

  /// A text as Lua reads it.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// What to try with it, the first thing first.
  func commands(file: String) -> [String] {
    // What begins with a minus would be an option.
    let file = (file.hasPrefix("-") ? "./" + file : file).quotedForShells
    return switch self {
    case .source:
      ["lookahead run \(file) --limit 5", "lookahead browse \(file)", "lookahead check \(file)"]
    case .workflow: ["lookahead run \(file)", "lookahead check \(file)"]
    case .policy:
      ["lookahead lab --policy \(file) --policy onDemand --sessions 40", "lookahead check \(file)"]
    case .experiment: ["lookahead lab \(file)", "lookahead check \(file)"]
    }
  }
}

extension String {
  /// As a word of a command line.
  var quotedForShells: String {
    let plain = unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "_-./+,:@%".unicodeScalars.contains(scalar)
    }
    return plain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
