/// Options whose value may be left out: `--allow-net` alone allows every host, `--allow-net=a,b` these two.
enum OptionalValues {
  private static let names = Set(
    ["net", "read", "write", "env"].flatMap { ["--allow-\($0)", "--deny-\($0)"] } + ["--preview"])
  private static let defaults = ["--preview": "20"]

  /// The arguments with every value that was left out.
  static func filled(_ arguments: [String]) -> [String] {
    arguments.map { names.contains($0) ? "\($0)=\(defaults[$0] ?? "*")" : $0 }
  }
}
