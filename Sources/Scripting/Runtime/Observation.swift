public import Lua
public import Paging

/// What a run reports while it goes on.
public enum Observation: Sendable {
  case printed(String)
  case logged(level: String, message: String, fields: [(String, LuaValue)])
  /// A note of a source's machine.
  case noted(source: String, Note, at: Instant)
  /// A fetch handler is called for a page.
  case fetching(source: String, FetchRequest, at: Instant)
  /// A note of the HTTP gate.
  case gateNoted(GateNote, at: Instant)
  /// A call that a dry run would make: a request, a statement, a file to write.
  case wouldSend(HostCall)
}
