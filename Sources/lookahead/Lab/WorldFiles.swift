import Experiments
import Glibc

/// The files that a world's text names: one, those of a folder, or those of a pattern such as `traces/*.down`.
enum WorldFiles {
  /// Paths in the order of their names; hidden files don't count. Nil where the text names one file.
  static func paths(of place: String) -> [String]? {
    if place.contains("*") { return matches(place) }
    var status = stat()
    guard stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return below(place)
  }

  /// What is read for a place, by `read`; throws what that throws, and if there is no file.
  static func all(
    of place: String, prefix: String = "", _ read: (String) throws -> String
  ) throws -> [WorldFile] {
    guard let paths = paths(of: prefix + place) else {
      return [WorldFile(name: place, contents: try read(place), place: place)]
    }
    if paths.isEmpty {
      standardError(
        "error: can't read \(place): there is no file in it (expected the traces of a population)")
      throw RunExit.noInput
    }
    return try paths.map { path in
      let name = String(path.dropFirst(prefix.utf8.count))
      return WorldFile(name: name, contents: try read(name), place: place)
    }
  }

  /// All files in a folder and those below it.
  private static func below(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
      var status = stat()
      // Links to folders may lead in a circle.
      guard lstat(path, &status) == 0 else { continue }
      paths += status.st_mode & S_IFMT == S_IFDIR ? below(path) : [path]
    }
    return paths.sorted()
  }

  private static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
