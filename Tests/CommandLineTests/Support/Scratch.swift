import Foundation

/// A folder of its own for a test; it goes when the test does.
final class Scratch {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "lookahead-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// With a script in it, as `feed.lua`.
  convenience init(script: String) throws {
    try self.init()
    try write("feed.lua", script)
  }

  func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

  func write(_ name: String, _ bytes: Data) throws {
    let file = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
  }

  /// Makes files programs. What this process has written may still be open in a child that another test has just begun, and
  /// what is open for writing can't be run: they are copied by another.
  func makePrograms(_ names: String...) throws {
    _ = try shell(
      "for file in \(names.joined(separator: " ")); do cp $file copy && chmod +x copy && mv copy $file; done")
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(name), encoding: .utf8)
  }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  /// Runs the program in it.
  func lookahead(_ arguments: String...) throws -> CommandResult {
    try Command.lookahead(arguments).within(self).run()
  }

  /// Runs a line of bash in it.
  func shell(_ line: String) throws -> CommandResult { try Command.shell(line).within(self).run() }
}
