/// A workload or a network in words, which the lab knows the meaning of: `WorldDescription("lognormal:0.35,0.5,loss=0.01")`.
public struct WorldDescription: Sendable, Hashable {
  /// What reports call it; nil is the text.
  public var name: String?
  /// Kind, values and options: `fling:flings=20`, `lognormal:0.35,0.5,loss=0.01`, `trace:FILE`.
  public var text: String
  /// Contents of the file that the text names, where it names one.
  public var contents: String?

  /// A world in the lab's words; `contents` are those of the file that it names.
  public init(_ text: String, name: String? = nil, contents: String? = nil) {
    self.text = text
    self.name = name
    self.contents = contents
  }
}
