/// Options whose value may be left out: `--allow-net` alone allows every host, `--allow-net=a,b` these two.
enum OptionalValues {
  private static let names = Set(
    ["net", "read", "write", "env"].flatMap { ["--allow-\($0)", "--deny-\($0)"] } + ["--preview"])
  private static let defaults = ["--preview": "20"]

  /// The arguments with every value that was left out.
  static func filled(_ arguments: [String]) -> [String] {
    arguments.map { names.contains($0) ? "\($0)=\(defaults[$0] ?? "*")" : $0 }
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
