/// A table of functions: `lookahead` itself, or a field of it.
public struct APIModule: Sendable {
  /// As scripts write it: `lookahead.http`.
  public let path: String
  public let summary: String
  /// What a call of the table itself does; nil where it cannot be called.
  public let call: APIFunction?
  public let functions: [APIFunction]
  /// What else is in it.
  public let values: [APIField]

  init(
    _ path: String, _ summary: String, call: APIFunction? = nil, functions: [APIFunction] = [],
    values: [APIField] = []
  ) {
    self.path = path
    self.summary = summary
    self.call = call
    self.functions = functions
    self.values = values
  }

  /// The last part of its path: `http`.
  public var name: String { path.split(separator: ".").last.map(String.init) ?? path }
}
