public import Lua
public import Paging

/// What a run has to say while it goes on.
public enum Observation: Sendable {
  case printed(String)
  case logged(level: String, message: String, fields: [(String, LuaValue)])
  /// The machine of a source.
  case noted(source: String, Note, at: Instant)
  /// A retry or a closed gate of HTTP.
  case gateNoted(GateNote, at: Instant)
  /// What a dry run would ask of the outside: a request, a statement, a file to be written.
  case wouldSend(HostCall)
}
