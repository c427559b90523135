/// What takes part in a reading beside its source: the script, the modules that it has loaded, and parameters that choose no
/// part of a source; each with what stands for its text.
public struct ReadingParts: Sendable, Equatable {
  private var digests: [String: String] = [:]
  /// A line for each part.
  public private(set) var text = ""

  public init() {}

  /// Notes a part by its name.
  public mutating func note(_ name: String, digest: String) {
    digests[name] = digest
    text = digests.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: "\n")
  }

  /// Reads what `text` gave; a line that is none of it says nothing.
  public init(text: String) {
    self.text = text
    for line in text.split(separator: "\n") {
      guard let space = line.firstIndex(of: " ") else { continue }
      digests[String(line[line.index(after: space)...])] = String(line[..<space])
    }
  }

  /// Whether nothing of it, parameters aside, took part then, neither by its name nor by its text: that was another script.
  public func isOther(than earlier: ReadingParts) -> Bool {
    let (mine, theirs) = (scripts, earlier.scripts)
    return !mine.isEmpty && !theirs.isEmpty && Set(mine.keys).isDisjoint(with: theirs.keys)
      && Set(mine.values).isDisjoint(with: theirs.values)
  }

  /// Names of its scripts, in order.
  public var scriptNames: [String] { scripts.keys.sorted() }

  private var scripts: [String: String] { digests.filter { !$0.key.hasPrefix("parameter ") } }

  /// Names of the parts that both know and that differ, in order.
  public func changes(since earlier: ReadingParts) -> [String] {
    digests.keys.filter { name in earlier.digests[name].map { $0 != digests[name] } ?? false }.sorted()
  }
}
