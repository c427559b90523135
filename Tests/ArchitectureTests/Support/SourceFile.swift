import Foundation
import Testing

/// A text file of the checkout.
struct SourceFile: CustomTestStringConvertible {
  /// From the root of the checkout.
  let path: String
  let text: String
  let lines: [String]

  init(path: String, url: URL) {
    self.path = path
    text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  var testDescription: String { path }

  /// The folder below `Sources`, which is the target's name.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The modules that a Swift file imports, whole or in part.
  var imports: [String] {
    lines.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let start = words.firstIndex(of: "import"), start + 1 < words.count,
        words[..<start].allSatisfy({ $0.hasPrefix("@") || Self.levels.contains($0) })
      else { return nil }
      let isPart = Self.kinds.contains(words[start + 1]) && start + 2 < words.count
      let name = isPart ? words[start + 2] : words[start + 1]
      return name.split(separator: ".").first.map(String.init)
    }
  }

  /// The headers that a C or C++ file includes, with the mark that says from where: `<curl/curl.h>`, `"machine.h"`.
  var includes: [String] {
    lines.compactMap { line in
      guard line.hasPrefix("#include ") else { return nil }
      return line.dropFirst(9).split(separator: " ").first.map(String.init)
    }
  }

  /// The numbers of the lines that hold the text, from 1.
  func lines(holding text: String) -> [Int] {
    lines.indices.filter { lines[$0].contains(text) }.map { $0 + 1 }
  }

  private static let levels: Set = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
}
