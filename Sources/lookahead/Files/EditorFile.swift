import Glibc
import Paging
import Scripting

/// A file that tells editors and linters about scripts.
struct EditorFile {
  /// Below the folder of the scripts.
  let name: String
  let text: String
  /// What to do if a file by someone else exists.
  let advice: String

  /// What became of one.
  enum Outcome: Equatable {
    case written, upToDate
    /// Someone else's, or edited since: left unchanged.
    case left
  }

  static let all = [
    EditorFile(
      name: LuaCATSStubs.fileName, text: LuaCATSStubs.text, advice: "it was changed; --force writes it over"),
    EditorFile(
      name: LuaServerSettings.fileName, text: LuaServerSettings.text,
      advice: "it has settings of its own; add these, or give --force:\n\(LuaServerSettings.text)"),
    EditorFile(
      name: LuacheckStandard.fileName, text: LuacheckStandard.text,
      advice: "it was changed; --force writes it over, --print luacheck shows what belongs into it"),
  ]

  /// Writes it into a directory; replaces a foreign file only if forced.
  func write(into folder: String, isForced: Bool) throws(RunExit) -> Outcome {
    let path = path(in: folder)
    do throws(TextFileError) {
      let found = try TextFile.read(path)
      if found == text { return .upToDate }
      if !isForced, !SealedText.isIntact(found) { return .left }
    } catch {
      guard access(path, F_OK) != 0 else { throw Self.failed(path, error.reason) }
    }
    try Self.makeFolders(above: path)
    if let failure = OutputFile.write(text, to: path) {
      standardError("error: \(failure.message)")
      throw .output
    }
    return .written
  }

  func path(in folder: String) -> String { folder == "." ? name : "\(folder)/\(name)" }

  /// Creates the missing parent directories of a file.
  static func makeFolders(above path: String) throws(RunExit) {
    for slash in path.indices where path[slash] == "/" && slash != path.startIndex {
      let folder = String(path[..<slash])
      guard mkdir(folder, 0o777) != 0, errno != EEXIST else { continue }
      throw failed(folder, systemError())
    }
  }

  private static func failed(_ path: String, _ reason: String) -> RunExit {
    standardError("error: can't write \(path): \(reason)")
    return .output
  }
}
