/// A table of functions: `lookahead` itself, or a field of it.
public struct APIModule: Sendable {
  /// As scripts write it: `lookahead.http`.
  public let path: String
  public let summary: String
  /// What calling the table itself does; nil if it is not callable.
  public let call: APIFunction?
  public let functions: [APIFunction]
  /// Its other values.
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
