import Glibc

/// Why a file gave no text.
enum TextFileError: Error {
  /// The system's message.
  case unreadable(String)
  /// The first line that is not valid UTF-8.
  case notText(line: Int)
}

extension TextFileError {
  /// In words, for use in a sentence.
  var reason: String {
    switch self {
    case .unreadable(let reason): reason
    case .notText(let line): "line \(line) is no text in UTF-8"
    }
  }
}

/// Whole files as text.
enum TextFile {
  /// The text of a file of at most `most` bytes, without a byte order mark.
  static func read(_ path: String, most: Int = .max) throws(TextFileError) -> String {
    guard var bytes = bytes(path, most: most) else { throw .unreadable(systemError()) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard bytes.count <= most else { throw .unreadable("it is longer than \(most) bytes") }
    guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0), bytes.first != 0x1B
    else {
      throw .notText(line: firstBadLine(bytes))
    }
    return text
  }

  /// All bytes of a file; nil where it can't be read.
  static func bytes(_ path: String, most: Int = .max) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= most {
      let count = fread(&part, 1, part.count, file)
      if count == 0 { break }
      bytes += part[..<count]
    }
    return ferror(file) == 0 ? bytes : nil
  }

  private static func firstBadLine(_ bytes: [UInt8]) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil || $0.contains(0) }
    return 1 + (bad ?? 0)
  }
}

/// The error of the last failed system call, for use in a sentence.
func systemError() -> String { String(cString: strerror(errno)).lowercased() }
