/// A world, or several with the shares of sessions that meet them: `3 fling + 1 balabit:FOLDER`.
public struct WorldMixture: Sendable, Hashable {
  /// One of the worlds.
  public struct Part: Sendable, Hashable {
    /// Its share, relative to the others'; above zero.
    public let weight: Double
    public let world: WorldText
  }

  /// At least one.
  public let parts: [Part]

  /// The paths that the text names: of files, folders, or patterns with `*`.
  public var places: [String] { parts.compactMap(\.world.file) }

  /// A text that begins with a number is a list of `WEIGHT WORLD` with ` + ` in between; any other is one world.
  public init(_ text: String) throws(InvalidWorld) {
    guard let first = text.first, first.isNumber || first == "." || first == "-" else {
      parts = [Part(weight: 1, world: try WorldText(text))]
      return
    }
    var parts: [Part] = []
    for part in text.split(separator: " + ", omittingEmptySubsequences: false) {
      let words = part.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let weight = Double(words[0]), 1e-6...1e9 ~= weight else {
        throw InvalidWorld(
          name: "world", value: String(part), expected: "WEIGHT WORLD + WEIGHT WORLD, as 3 fling + 1 jumper")
      }
      parts.append(Part(weight: weight, world: try WorldText(String(words[1]))))
    }
    self.parts = parts
  }
}
