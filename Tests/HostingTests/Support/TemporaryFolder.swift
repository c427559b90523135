import Foundation

/// A folder of its own, which is gone when it is let go.
final class TemporaryFolder {
  let path: String

  init() {
    path = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path + "/hosting-\(UUID())"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a file and names its path.
  @discardableResult
  func write(_ text: String, to name: String) -> String {
    try! Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  func text(of name: String) -> String {
    (try? Data(contentsOf: URL(fileURLWithPath: file(name)))).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  func makeFolder(_ name: String) {
    try! FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
  }

  /// The names in it, sorted.
  var names: [String] { try! FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
