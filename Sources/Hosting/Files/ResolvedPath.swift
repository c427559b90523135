import Glibc

/// An absolute path without symlinks, `.` and `..`: where a call on the path would actually arrive.
///
/// Missing components are kept, so that a file about to be created can be checked too. Dangling symlinks are followed
/// as well, because writing through one would create its target. Names are bytes, as for the system: two normalisations
/// of one letter are two names.
struct ResolvedPath: Sendable, Hashable {
  private typealias Name = [UInt8]

  /// Components below the root, outermost first.
  let names: [[UInt8]]

  /// Nil for a path that is empty, contains NUL, is too long, or loops.
  init?(_ path: String) {
    guard !path.isEmpty, path.utf8.count < PATH_MAX, !path.utf8.contains(0) else { return nil }
    var waiting = ResolvedPath.names(in: Array(path.utf8))
    if path.utf8.first != ResolvedPath.slash {
      guard let folder = ResolvedPath.currentFolder else { return nil }
      waiting = ResolvedPath.names(in: folder) + waiting
    }
    waiting.reverse()
    guard let names = ResolvedPath.resolve(waiting) else { return nil }
    self.names = names
  }

  /// As text, with a leading and no trailing slash.
  var path: String { String(decoding: ResolvedPath.joined(names), as: UTF8.self) }

  private init(names: [[UInt8]]) { self.names = names }

  /// The directory that it is in; nil for the root.
  var folder: ResolvedPath? { names.isEmpty ? nil : ResolvedPath(names: names.dropLast()) }

  /// Whether it is the root.
  var isRoot: Bool { names.isEmpty }

  /// Whether it is this directory or file, or below it.
  func isWithin(_ folder: ResolvedPath) -> Bool { names.starts(with: folder.names) }

  /// Whether it is an unnamed descriptor of this process: a pipe, such as behind `/dev/stdin`.
  var isDescriptor: Bool {
    ResolvedPath.isDescriptor(names) && names[1].elementsEqual(String(getpid()).utf8)
  }

  /// Whether it shows a process's environment.
  var holdsEnvironment: Bool {
    names.count > 2 && names[0].elementsEqual("proc".utf8) && names.last!.elementsEqual("environ".utf8)
  }

  private static let slash = UInt8(ascii: "/")

  private static func isDescriptor(_ names: [Name]) -> Bool {
    names.count == 4 && names[0].elementsEqual("proc".utf8) && names[2].elementsEqual("fd".utf8)
  }

  /// Follows the names from the root; they are passed in reverse.
  private static func resolve(_ reversed: [Name]) -> [Name]? {
    var waiting = reversed
    var resolved: [Name] = []
    var linksLeft = 40
    while let name = waiting.popLast() {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        _ = resolved.popLast()
        continue
      }
      resolved.append(name)
      guard let target = linkTarget(joined(resolved)) else { continue }
      // The link of a pipe, such as `pipe:[7]`, is not a path.
      if target.first != slash, isDescriptor(resolved) { continue }
      guard linksLeft > 0 else { return nil }
      linksLeft -= 1
      if target.first == slash { resolved = [] } else { resolved.removeLast() }
      waiting += names(in: target).reversed()
    }
    return resolved
  }

  private static func names(in path: [UInt8]) -> [Name] { path.split(separator: slash).map(Array.init) }

  private static func joined(_ names: [Name]) -> [UInt8] {
    names.isEmpty ? [slash] : names.reduce(into: []) { $0 += [slash] + $1 }
  }

  private static var currentFolder: [UInt8]? {
    guard let buffer = getcwd(nil, 0) else { return nil }
    defer { free(buffer) }
    return Array(UnsafeRawBufferPointer(start: buffer, count: strlen(buffer)))
  }

  /// The target of the symlink; nil if it is not one.
  private static func linkTarget(_ path: [UInt8]) -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let length = (path + [0]).withUnsafeBytes {
        readlink($0.assumingMemoryBound(to: CChar.self).baseAddress!, buffer.baseAddress!, buffer.count)
      }
      return length > 0 ? Array(UnsafeRawBufferPointer(buffer)[..<length]) : nil
    }
  }
}
