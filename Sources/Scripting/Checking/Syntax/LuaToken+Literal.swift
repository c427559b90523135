import Lua

extension LuaToken {
  /// What a string says, without quotes or long brackets; escapes stay as they are written.
  var literal: String {
    if let quote = text.first, quote == "\"" || quote == "'" { return String(text.dropFirst().dropLast()) }
    let level = text.dropFirst().prefix { $0 == "=" }.count + 2
    return String(text.dropFirst(level).dropLast(level))
  }
}
