/// What went wrong inside Lua, with the evidence.
///
/// ```swift
/// throw LuaError(.runtime, "feed.lua:12: there is no such page", code: "notFound")
/// ```
public struct LuaError: Error, Sendable {
  /// The kind of failure.
  public enum Kind: Sendable, Equatable {
    /// The text is no Lua; `isIncomplete` when more of it could mend that.
    case syntax(isIncomplete: Bool)
    /// An error was raised and not caught.
    case runtime
    /// Stopped from outside.
    case stopped(LuaStop)
    /// A value is not what the host asked for.
    case conversion
  }

  public var kind: Kind
  /// As Lua gives it: `feed.lua:12: attempt to …`.
  public var message: String
  /// Where the calls stood, innermost first; empty when not asked for.
  public var traceback: String
  /// The `code` of an error table, as `network`; nil for plain texts.
  public var code: String?
  /// Other fields of an error table that are plain values.
  public var fields: [String: LuaValue]
  /// What was raised, if it was no text: it can be raised again as it is, in its own state.
  public var raised: LuaReference?

  public init(
    _ kind: Kind, _ message: String, traceback: String = "", code: String? = nil,
    fields: [String: LuaValue] = [:]
  ) {
    self.kind = kind
    self.message = message
    self.traceback = traceback
    self.code = code
    self.fields = fields
  }
}

/// Errors that say the same.
extension LuaError: Equatable {
  public static func == (left: LuaError, right: LuaError) -> Bool {
    left.kind == right.kind && left.message == right.message && left.traceback == right.traceback
      && left.code == right.code && left.fields == right.fields
  }
}

/// Why a script was stopped from outside.
public enum LuaStop: Sendable, Equatable {
  case interrupted
  /// It ran too long between two waits, or in all.
  case time
  /// It went on asking for memory after it was refused.
  case memory
  /// A policy used up its instructions.
  case instructions
}

extension String {
  /// The beginning, of at most `limit` bytes, and the length of the whole.
  public func cut(at limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let beginning = String(decoding: utf8.prefix(limit), as: UTF8.self)
    return "\(beginning.last == "\u{FFFD}" ? String(beginning.dropLast()) : beginning)… (\(utf8.count) bytes)"
  }

  /// The first place of `text`, byte by byte: a script decides how long an error is.
  func firstRange(of text: String) -> Range<Index>? {
    let pattern = Array(text.utf8)
    var rest = utf8[...]
    while let start = rest.firstIndex(of: pattern[0]) {
      rest = rest[start...]
      if rest.starts(with: pattern) { return start..<utf8.index(start, offsetBy: pattern.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
