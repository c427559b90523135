/// A plain value that may cross between Lua and the host; tables and functions stay where they are.
public enum LuaValue: Sendable, Equatable {
  case `nil`
  /// JSON null, `lookahead.null` in scripts.
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// Invalid UTF-8 has become U+FFFD.
  case string(String)
}

extension LuaValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .nil: "nil"
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value
    }
  }
}
