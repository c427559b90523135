import Scripting

extension Workflow {
  /// The sources that were declared, where none was read in whichever way and nothing was written; nil where that is as it
  /// should be.
  var forgottenSource: String? {
    statistics.items == 0 && statistics.pages == 0 && statistics.requests == 0
      ? declarations.forgottenName : nil
  }
}

extension Declarations {
  /// The sources, as an error calls them that nobody returned; nil where there are none.
  var forgottenName: String? {
    sources.first.map { sources.count == 1 ? "the source '\($0.name)'" : "sources" }
  }
}
