import Glibc
import Hosting

/// A script on disk, and the modules beside it.
struct ScriptFile {
  /// As the person named it; shown in errors.
  let path: String
  let text: String
  /// Absolute.
  let folder: String
  /// Made by the command line for a person who wrote none.
  let isGenerated: Bool
  /// Modules that are part of the program, by name; those of a script on disk are beside it.
  private let modules: [String: String]

  /// Reads the script; an error has been shown when it throws.
  init(_ path: String) throws(RunExit) {
    do throws(TextFileError) {
      text = try TextFile.read(path)
    } catch {
      switch error {
      case .unreadable(let reason):
        standardError("error: can't read the script \(path): \(reason)")
        throw .noInput
      case .notText(let line):
        standardError("error: \(path):\(line): this is no text (expected Lua in UTF-8, not compiled)")
        throw .script
      }
    }
    self.path = path
    folder = Self.folder(of: path)
    isGenerated = false
    modules = [:]
  }

  /// A script that the command line made, with the modules that it needs; its files would be in the current folder.
  init(generated text: String, path: String, modules: [String: String] = [:]) {
    self.path = path
    self.modules = modules
    #if DEBUG
      self.text = CageProbe.isWanted ? "require('\(CageProbe.module)')\n" + text : text
    #else
      self.text = text
    #endif
    folder = Self.folder(of: path)
    isGenerated = true
  }

  /// A script that was read before.
  init(text: String, path: String, folder: String) {
    self.path = path
    self.text = text
    self.folder = folder
    isGenerated = false
    modules = [:]
  }

  /// The text of a file below the script's folder; nil where it is elsewhere.
  func neighbour(_ name: String) throws(TextFileError) -> String? {
    guard isBelowFolder(name) else { return nil }
    return try TextFile.read(folder + "/" + name)
  }

  /// Whether there is nothing in it but blanks and comments of a line.
  var isEmpty: Bool {
    text.split(whereSeparator: \.isNewline).allSatisfy { line in
      let line = line.drop(while: \.isWhitespace)
      return line.isEmpty || line.hasPrefix("--") && !line.hasPrefix("--[")
    }
  }

  /// What the stream is called that has no name: the script's file without its ending.
  var streamName: String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
  }

  /// A module's text and shown name; dots in its name are folders.
  func module(_ name: String) -> (text: String, name: String)? {
    #if DEBUG
      if name == CageProbe.module, let lines = CageProbe.run() {
        standardError(lines)
        return ("return true", name)
      }
    #endif
    if let text = modules[name] { return (text, path) }
    let relative = name.split(separator: ".").joined(separator: "/") + ".lua"
    guard !name.contains(".."), isBelowFolder(relative),
      let text = try? TextFile.read(folder + "/" + relative)
    else { return nil }
    let shown = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return (text, shown + relative)
  }

  /// Whether the file is below the script's folder, links followed.
  private func isBelowFolder(_ relative: String) -> Bool {
    guard let real = realpath(folder + "/" + relative, nil) else { return false }
    defer { free(real) }
    return String(cString: real).hasPrefix(folder == "/" ? "/" : folder + "/")
  }

  /// The absolute folder of a file.
  static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let real = realpath(folder, nil) else { return folder }
    defer { free(real) }
    return String(cString: real)
  }
}
