import Items
import Lua
import Text

/// One JSON object on one line, member by member.
struct JSONLine {
  private var members: [String] = []

  var text: String { "{" + members.joined(separator: ",") + "}" }

  mutating func add(_ name: String, _ value: String) {
    members.append("\(Self.quoted(name)):\(Self.quoted(value))")
  }
  mutating func add(_ name: String, _ value: Int) { members.append("\(Self.quoted(name)):\(value)") }
  mutating func add(_ name: String, _ value: Bool) { members.append("\(Self.quoted(name)):\(value)") }
  mutating func add(raw name: String, _ json: String) { members.append("\(Self.quoted(name)):\(json)") }

  /// Numbers that JSON has no name for become null.
  mutating func add(_ name: String, _ value: Double) {
    members.append("\(Self.quoted(name)):\(value.isFinite ? "\(value)" : "null")")
  }

  mutating func add(_ name: String, _ value: LuaValue) {
    switch value {
    case .nil, .null: add(raw: name, "null")
    case .boolean(let value): add(name, value)
    case .integer(let value): add(name, Int(value))
    case .number(let value): add(name, value)
    case .string(let value): add(name, value)
    }
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    // The same JSON, and nothing in it steers a terminal that shows it.
    return HarmlessText.json(quoted) + "\""
  }
}
