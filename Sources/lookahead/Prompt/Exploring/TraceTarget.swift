import Glibc

/// A file about to be overwritten by a trace: other contents are protected.
struct TraceTarget {
  /// As it is opened.
  let path: String

  /// Bytes that are looked at to tell what a file is.
  private static let headLength = 4096

  /// Whether the file contains something other than a trace. Special files, such as a terminal, contain nothing.
  var holdsSomethingElse: Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      return false
    }
    return head.map { !Self.isTrace($0) } ?? true
  }

  /// Why the file can't be written; nil if it can. Creates it.
  var obstacle: String? {
    guard let file = fopen(path, "a") else { return systemError() }
    fclose(file)
    return nil
  }

  /// The beginning of the file; nil when it cannot be read.
  private var head: String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Self.headLength)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Whether a text begins as a trace does: one event to a line, or a list of them for a viewer.
  static func isTrace(_ text: String) -> Bool {
    let lines = text.split(separator: "\n", maxSplits: 2)
    guard let first = lines.first else { return false }
    if first == "[", lines.count > 1 {
      return lines[1] == "]" || lines[1].hasPrefix("{") && lines[1].contains("\"ph\":")
    }
    return first.hasPrefix("{\"event\":\"run\"")
      || first.hasPrefix("{\"t\":") && first.contains("\"event\":\"")
  }
}
