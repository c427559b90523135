import Glibc
import Scripting

/// What editors and luacheck read beside a script. What is there stays as it is.
struct ScriptSurroundings {
  /// The folder of the script.
  let folder: String

  /// Writes what is missing; lines that say what came of it.
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

  /// The file where programs find it: in the folder, or in one above it.
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

  /// What tells one folder from another.
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
