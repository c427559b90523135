import Lua

/// Sources that are read while a page of another one is fetched: their handlers are inside each other, and whatever ends
/// the outermost ends them all.
extension Workflow {
  /// Handlers inside each other; a script that means it has a few.
  static let deepestHandler = 100
  /// Loops over sources that are open at once.
  static let mostReaders = 10_000

  /// Fails where one more handler would be too deep in others; `what` is read or fetched there, as `source 'feed'`.
  func checkNesting(_ what: String) throws {
    guard let depth = running?.depth, depth >= Self.deepestHandler else { return }
    throw HostFunctionError.misuse(
      "\(what): more than \(Self.deepestHandler) handlers inside each other: is it read by its own fetch handler?"
    )
  }
}
