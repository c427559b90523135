import Foundation

/// The checkout that is tested, and what was built of it.
enum Repository {
  /// The folder that holds `Package.swift`; links in the path of this file are followed first.
  static let root: URL = {
    let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    return file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }()

  /// The program, which is built into the folder of the tests.
  static let binary: String = {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var folder = tests.deletingLastPathComponent()
    while !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("lookahead").path) {
      precondition(folder.path != "/", "there is no program above \(tests.path): build the product lookahead")
      folder.deleteLastPathComponent()
    }
    return folder.appendingPathComponent("lookahead").path
  }()

  /// A text file of the checkout.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The scripts of the gallery, from the root of the checkout.
  static let scripts: [String] = {
    let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent("scripts").path)
    let all = (paths?.allObjects ?? []).compactMap { $0 as? String }
    return all.filter { $0.hasSuffix(".lua") }.map { "scripts/\($0)" }.sorted()
  }()

  /// Those that bring items when they are run.
  static let gallery = scripts.filter {
    !$0.hasPrefix("scripts/experiments/") && !$0.hasPrefix("scripts/nightly/")
  }

  /// Those that the lab runs.
  static let experiments = scripts.filter { $0.hasPrefix("scripts/experiments/") }
}
