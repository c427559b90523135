import CCage
import Glibc

/// A path, and what Landlock grants there.
struct CagePath {
  let path: String
  let rights: ccage_right

  init(_ path: String, _ rights: ccage_right) {
    self.path = path
    self.rights = rights
  }

  /// A path granted for reading. A missing one is granted through its future directory.
  init(reading path: String) {
    self.init(CagePath.mode(path) == nil ? CagePath.folder(of: path) : path, CCAGE_READ)
  }

  /// A path granted for writing. Files are replaced by others, so their directory is granted.
  init(writing path: String) {
    switch CagePath.mode(path) {
    case S_IFDIR: self.init(path, CCAGE_WRITE)
    case S_IFREG, nil: self.init(CagePath.folder(of: path), CCAGE_WRITE)
    default: self.init(path, CCAGE_IN_PLACE)
    }
  }

  /// The directory that contains what a call on the path would reach.
  static func folder(of path: String) -> String {
    guard let resolved = ResolvedPath(path)?.path, let slash = resolved.lastIndex(of: "/") else {
      return path
    }
    return slash == resolved.startIndex ? "/" : String(resolved[..<slash])
  }

  /// The file type at the path.
  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
