/// A workload or a network as text, which the lab parses: `WorldDescription("lognormal:0.35,0.5,loss=0.01")`.
public struct WorldDescription: Sendable, Hashable {
  /// Its name in reports; nil is the text.
  public var name: String?
  /// Kind, values and options: `fling:flings=20`, `lognormal:0.35,0.5,loss=0.01`, `trace:FILE`; or several with their
  /// shares: `3 fling + 1 balabit:FOLDER`.
  public var text: String
  /// The files that the text names.
  public var files: [WorldFile]

  /// A world as text; `contents` are those of the one file it names.
  public init(_ text: String, name: String? = nil, contents: String? = nil) {
    self.init(text, name: name, files: contents.map { [WorldFile(name: "", contents: $0)] } ?? [])
  }

  /// A world as text, with the files it names.
  public init(_ text: String, name: String? = nil, files: [WorldFile]) {
    self.text = text
    self.name = name
    self.files = files
  }
}

/// A recording or a trace that a world is read from.
public struct WorldFile: Sendable, Hashable {
  /// Its name in reports.
  public var name: String
  public var contents: String
  /// What the text of the world says for it: its path, its folder or a pattern; nil where the text names one file only.
  public var place: String?

  /// A file, with what stands for it in the text.
  public init(name: String, contents: String, place: String? = nil) {
    self.name = name
    self.contents = contents
    self.place = place
  }
}
