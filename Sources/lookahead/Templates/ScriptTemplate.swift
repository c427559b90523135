import ArgumentParser
import Text

/// A runnable script to start from.
enum ScriptTemplate: String, CaseIterable, ExpressibleByArgument {
  case source, policy, experiment, workflow

  /// The script with that name, for that file.
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

  /// A text as a Lua string.
  private static func quoted(_ text: String) -> String {
    "\"" + text.escaping("\\", as: "\\\\").escaping("\"", as: "\\\"") + "\""
  }

  /// Commands to try, first things first.
  func commands(file: String) -> [String] {
    // A leading minus would make it an option.
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
  /// Quoted as a shell word.
  var quotedForShells: String {
    let plain = unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "_-./+,:@%".unicodeScalars.contains(scalar)
    }
    return plain && !isEmpty ? self : "'" + escaping("'", as: "'\\''") + "'"
  }
}
