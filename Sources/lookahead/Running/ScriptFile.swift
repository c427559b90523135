import Glibc

/// A script on disk, and the modules beside it.
struct ScriptFile {
  /// As the person named it; shown in errors.
  let path: String
  let text: String
  /// Absolute.
  let folder: String

  /// Reads the script; an error has been shown when it throws.
  init(_ path: String) throws(RunExit) {
    guard let text = Self.contents(path) else {
      let reason = String(cString: strerror(errno))
      standardError("error: can't read the script \(path): \(reason.lowercased())")
      throw .noInput
    }
    self.init(path: path, text: text, folder: Self.absoluteFolder(of: path))
  }

  init(path: String, text: String, folder: String) {
    self.path = path
    self.text = text
    self.folder = folder
  }

  /// A module's text and shown name; dots in its name are folders.
  func module(_ name: String) -> (text: String, name: String)? {
    let relative = name.split(separator: ".").joined(separator: "/") + ".lua"
    guard !name.contains(".."), let text = Self.contents(folder + "/" + relative) else { return nil }
    let shown = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return (text, shown + relative)
  }

  /// A file as text; nil, with errno, when it cannot be read.
  static func contents(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&part, 1, part.count, file)
      if count == 0 { break }
      bytes += part[..<count]
    }
    guard ferror(file) == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func absoluteFolder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let real = realpath(folder, nil) else { return folder }
    defer { free(real) }
    return String(cString: real)
  }
}
