import Foundation
import Testing

/// A script that once did what none may, in `Cases/fuzz/found`. Its first line says what; a second one that begins with
/// `-- lookahead` says how it is run, and a third one that begins with `-- says` what is in its output now.
struct FoundScript: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String

  var testDescription: String { name }

  static let all: [FoundScript] = {
    let folder = Repository.root.appendingPathComponent("Tests/CommandLineTests/Cases/fuzz/found").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted().map { file in
      let text = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let sentence = text?.prefix { $0 != "\n" }.drop { $0 == "-" || $0 == " " }
      return FoundScript(name: sentence.map(String.init) ?? file, text: text ?? "")
    }
  }()

  /// How the program is called.
  var arguments: [String] {
    line("-- lookahead ")?.split(separator: " ").map(String.init) ?? FuzzCourse.all[0].arguments
  }

  /// What its output has to have.
  var expected: String { line("-- says ") ?? "" }

  private func line(_ start: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }
}
