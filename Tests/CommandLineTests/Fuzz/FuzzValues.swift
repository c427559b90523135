/// The values that nobody expects: definitions in Lua, by name.
struct FuzzValues: Sendable {
  /// The whole file.
  let text: String
  /// In the order of the file.
  let names: [String]

  private static let mark = "nasty[\""

  init(_ text: String) {
    self.text = text
    names = text.split(separator: "\n").compactMap { line in
      guard line.hasPrefix(Self.mark), let end = line.firstRange(of: "\"] =") else { return nil }
      return String(line[line.index(line.startIndex, offsetBy: Self.mark.count)..<end.lowerBound])
    }
  }

  /// A new value of that name, as a Lua expression.
  static func expression(_ name: String) -> String { "nasty[\"\(name)\"]()" }

  /// The definition of one, as it stands in the file.
  func definition(_ name: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { $0.hasPrefix("\(Self.mark)\(name)\"]") }) else { return "" }
    if lines[first].hasSuffix(" end") { return String(lines[first]) }
    let last = lines[first...].firstIndex { $0 == "end" } ?? first
    return lines[first...last].joined(separator: "\n")
  }
}
