/// A world as written on a command line: `name`, `name:value,…` or `name:value,…,option=value,…`.
///
/// `lognormal:0.35,0.5,loss=0.01` has two values and one option. A name that takes a file has one value, which ends
/// where options start: `trace:a,b.jsonl,name=monday` has the file `a,b.jsonl`.
public struct WorldText: Sendable, Hashable {
  /// An option with its value.
  public struct Option: Sendable, Hashable {
    /// The option's name.
    public let name: String
    /// Its value.
    public let value: String
  }

  /// The whole text.
  public let text: String
  /// The text before the colon.
  public let name: String
  /// The values up to the first option.
  public let values: [String]
  /// In order.
  public let options: [Option]

  private static let fileNames: Set = ["trace", "balabit", "measured", "recorded", "sabre", "mahimahi"]

  /// The file that the world is read from; nil if none.
  public var file: String? { Self.fileNames.contains(name) ? values.joined(separator: ",") : nil }

  /// Throws for an empty name, a value after an option, and a repeated option.
  public init(_ text: String) throws(InvalidWorld) {
    self.text = text
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts.first ?? "")
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
      throw InvalidWorld(name: "world", value: text, expected: "NAME or NAME:VALUE,…,OPTION=VALUE,…")
    }
    var values: [String] = []
    var options: [Option] = []
    let rest = parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    for part in rest {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2, !sides[0].isEmpty, sides[0].allSatisfy(\.isLetter) {
        let option = Option(name: String(sides[0]), value: String(sides[1]))
        guard !options.contains(where: { $0.name == option.name }) else {
          throw InvalidWorld(name: "\(name).\(option.name)", value: option.value, expected: "one value only")
        }
        options.append(option)
      } else if options.isEmpty {
        values.append(String(part))
      } else {
        throw InvalidWorld(name: name, value: String(part), expected: "OPTION=VALUE after the first option")
      }
    }
    self.values = values
    self.options = options
    if Self.fileNames.contains(name), values.joined().isEmpty {
      throw InvalidWorld(name: name, value: "nothing", expected: "\(name):FILE")
    }
  }

  /// All values as numbers; throws unless there are as many as names.
  func numbers(_ names: [String]) throws(InvalidWorld) -> [Double] {
    guard values.count == names.count else {
      let form = names.isEmpty ? "no values" : "\(name):\(names.joined(separator: ","))"
      throw InvalidWorld(name: name, value: values.joined(separator: ","), expected: form)
    }
    var numbers: [Double] = []
    for (value, part) in zip(values, names) { numbers.append(try Self.number(value, "\(name).\(part)")) }
    return numbers
  }

  static func number(_ text: String, _ name: String) throws(InvalidWorld) -> Double {
    guard let number = Double(text), number.isFinite else {
      throw InvalidWorld(name: name, value: text, expected: "a number")
    }
    return number
  }
}
