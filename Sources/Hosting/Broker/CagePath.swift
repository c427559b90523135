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

  /// A path that is granted for reading. One that is not there yet is granted by the folder that it will be in.
  init(reading path: String) {
    self.init(CagePath.mode(path) == nil ? CagePath.folder(of: path) : path, CCAGE_READ)
  }

  /// A path that is granted for writing. A file is replaced by another one, so it is the folder that is written.
  init(writing path: String) {
    switch CagePath.mode(path) {
    case S_IFDIR: self.init(path, CCAGE_WRITE)
    case S_IFREG, nil: self.init(CagePath.folder(of: path), CCAGE_WRITE)
    default: self.init(path, CCAGE_IN_PLACE)
    }
  }

  /// Where a call on the path would arrive; what is around that.
  static func folder(of path: String) -> String {
    guard let resolved = ResolvedPath(path)?.path, let slash = resolved.lastIndex(of: "/") else {
      return path
    }
    return slash == resolved.startIndex ? "/" : String(resolved[..<slash])
  }

  /// What kind of file is there.
  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
