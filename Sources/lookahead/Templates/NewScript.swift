import Glibc
import Hosting
import Paging
import Scripting

/// The file that a new script is written to.
struct NewScript {
  /// As the user gave it, with extension.
  let path: String
  /// The file's name without its ending.
  let name: String

  /// Adds `.lua` if missing; throws for an impossible name.
  init(_ given: String) throws(NewScriptFault) {
    let path = given.hasSuffix(".lua") ? given : given + ".lua"
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let name = String(file.dropLast(4))
    guard !name.isEmpty, name != ".", name != ".." else {
      throw NewScriptFault(path: given, reason: "expected the name of a file, as mine or feeds/mine")
    }
    if given.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw NewScriptFault(path: given.debugDescription, reason: "expected a name without control characters")
    }
    if file.utf8.count > 255 {
      throw NewScriptFault(path: file, reason: "expected a name of at most 251 bytes, got \(name.utf8.count)")
    }
    self.path = path
    self.name = name
  }

  /// The folder that it is in.
  var folder: String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Writes a file that was not there, and the folders that it is in.
  func write(_ text: String) throws(RunExit) {
    try EditorFile.makeFolders(above: path)
    var status = stat()
    guard lstat(path, &status) != 0 else {
      standardError(
        "error: \(path) is there already, and was left as it is: choose another name, or remove it first")
      throw .output
    }
    guard let failure = OutputFile.write(text, to: path, .refused) else { return }
    standardError("error: \(failure.message)")
    throw .output
  }
}

/// A name that no new script can have.
struct NewScriptFault: Error {
  let path: String
  let reason: String
}

/// Settings for editors and luacheck next to a script. Existing files are unchanged.
struct ScriptSurroundings {
  /// The folder of the script.
  let folder: String

  /// Writes missing files; returns lines that report the result.
  func written() throws(RunExit) -> [String] {
    var wrote: [String] = []
    var left: [String] = []
    for file in EditorFile.all {
      let path = file.path(in: folder)
      let found = existing(file) ?? path
      if found == path, try file.write(into: folder, isForced: false) == .written {
        wrote.append(path)
      } else {
        left.append(found)
      }
    }
    return (wrote.isEmpty ? [] : ["wrote \(Self.list(wrote)), for editors and luacheck"])
      + (left.isEmpty ? [] : ["left \(Self.list(left)) as \(left.count == 1 ? "it is" : "they are")"])
  }

  /// The existing file, in the directory or above it.
  private func existing(_ file: EditorFile) -> String? {
    var path = file.path(in: folder)
    for _ in 0..<64 {
      if access(path, F_OK) == 0 { return path }
      let above = path.dropLast(file.name.count) + "../"
      guard let here = status(String(above) + "."), let further = status(String(above) + ".."),
        here != further
      else { break }
      path = above + file.name
    }
    return nil
  }

  /// The identity of a directory.
  private func status(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// `a, b and c`.
  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and \(last)"
  }
}
