import Glibc
import Hosting
import Paging

/// The file that a new script is written to.
struct NewScript {
  /// As the person named it, with its ending.
  let path: String
  /// The file's name without its ending.
  let name: String

  /// Adds `.lua` where it is missing; throws what is wrong with a name that no file can have.
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
