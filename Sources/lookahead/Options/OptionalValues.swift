/// Options whose value may be left out: `--allow-net` alone allows every host, `--allow-net=a,b` these two.
enum OptionalValues {
  private static let names = Set(
    ["net", "read", "write", "env"].flatMap { ["--allow-\($0)", "--deny-\($0)"] } + ["--preview"])
  private static let defaults = ["--preview": "20"]

  /// The arguments with every value that was left out, and with values below zero joined to their options: a parser would
  /// take `-1s` behind `--refresh` for options of one letter, and miss the value.
  static func filled(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var filled: [String] = []
    for (place, argument) in arguments.enumerated() {
      if place < end, isNegative(argument), let last = filled.last, isLongOption(last) {
        filled[filled.count - 1] = "\(last)=\(argument)"
      } else {
        filled.append(names.contains(argument) ? "\(argument)=\(defaults[argument] ?? "*")" : argument)
      }
    }
    return filled
  }

  private static func isLongOption(_ argument: String) -> Bool {
    argument.hasPrefix("--") && argument.count > 2 && !argument.contains("=")
  }

  /// A minus before a digit, or before a point and one.
  private static func isNegative(_ argument: String) -> Bool {
    guard argument.first == "-" else { return false }
    let rest = argument.dropFirst()
    return (rest.first == "." ? rest.dropFirst() : rest).first?.isNumber == true
  }

  /// What to write instead, where the value of such an option was given after a blank; nil where none was.
  static func advice(on arguments: [String]) -> String? {
    guard let place = arguments.indices.dropLast().last(where: { isFollowed(arguments, $0) }) else {
      return nil
    }
    return "write \(arguments[place])=\(arguments[place + 1]): the value of \(arguments[place]) comes after ="
  }

  private static func isFollowed(_ arguments: [String], _ place: Int) -> Bool {
    names.contains(arguments[place]) && !arguments[place + 1].hasPrefix("-")
  }
}
