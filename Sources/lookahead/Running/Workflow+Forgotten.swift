import Scripting

extension Workflow {
  /// The sources that were declared, where none was read in whichever way and nothing was written; nil where that is as it
  /// should be.
  var forgottenSource: String? {
    guard statistics.items == 0, statistics.pages == 0, statistics.requests == 0,
      let source = declarations.sources.first
    else { return nil }
    return declarations.sources.count == 1 ? "the source '\(source.name)'" : "sources"
  }
}
