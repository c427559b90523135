/// A workload or a network as text, which the lab parses: `WorldDescription("lognormal:0.35,0.5,loss=0.01")`.
public struct WorldDescription: Sendable, Hashable {
  /// Its name in reports; nil is the text.
  public var name: String?
  /// Kind, values and options: `fling:flings=20`, `lognormal:0.35,0.5,loss=0.01`, `trace:FILE`.
  public var text: String
  /// Contents of the file named in the text, if any.
  public var contents: String?

  /// A world as text; `contents` are those of the file it names.
  public init(_ text: String, name: String? = nil, contents: String? = nil) {
    self.text = text
    self.name = name
    self.contents = contents
  }
}
