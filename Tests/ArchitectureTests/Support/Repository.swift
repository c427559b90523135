import Foundation
import Synchronization

/// The checkout that the tests read.
enum Repository {
  /// The folder that holds `Package.swift`; links in the path of this file are followed first.
  static let root: URL = {
    let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    return file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }()

  /// The names of the folders in `Sources`.
  static let targets: [String] = {
    let sources = root.appendingPathComponent("Sources").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []).sorted()
  }()

  /// Every file with one of these endings below a folder of the checkout, in one order.
  static func files(below folder: String, endings: Set<String>) -> [SourceFile] {
    let start = root.appendingPathComponent(folder)
    guard let paths = FileManager.default.enumerator(atPath: start.path) else { return [] }
    var found: [SourceFile] = []
    for case let path as String in paths {
      if path.hasPrefix(".") || path.contains("/.") {
        paths.skipDescendants()
        continue
      }
      guard endings.contains((path as NSString).pathExtension) else { continue }
      found.append(file("\(folder)/\(path)", start.appendingPathComponent(path)))
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Files that were read before, since most tests look at all of them.
  private static let known = Mutex<[String: SourceFile]>([:])

  private static func file(_ path: String, _ url: URL) -> SourceFile {
    if let file = known.withLock({ $0[path] }) { return file }
    let file = SourceFile(path: path, url: url)
    known.withLock { $0[path] = file }
    return file
  }
}
