import Glibc
import Terminal

/// The history file: one entry per line, readable only by its owner, shared by all prompts of a user.
///
/// Entries are only appended, each under a lock; when there are far too many, the newest replace all under the same
/// lock. So concurrent prompts lose nothing.
final class HistoryFile {
  private let path: String
  private let limit: Int
  /// Whether writing failed before; then it is not tried again.
  private var isBroken = false

  init(_ path: String, limit: Int = 10_000) {
    self.path = path
    self.limit = limit
  }

  /// Its entries, oldest first.
  func read() -> LineHistory {
    let entries = lines().map { LineHistory.entry(of: $0) }
    if entries.count > limit + limit / 10 { shorten() }
    return LineHistory(entries, limit: limit)
  }

  /// Appends an entry; returns the reason if that fails, once.
  @discardableResult
  func append(_ entry: String) -> String? {
    guard !isBroken else { return nil }
    let reason = locked { file in
      let line = Array((LineHistory.line(of: entry) + "\n").utf8)
      return Glibc.write(file, line, line.count) == line.count ? nil : systemError()
    }
    isBroken = reason != nil
    return reason
  }

  /// Invalid UTF-8, as after a disk error, is shown as far as possible.
  private func lines() -> [Substring] {
    String(decoding: TextFile.bytes(path) ?? [], as: UTF8.self).split(separator: "\n")
  }

  /// Replaces the file by one with the newest entries.
  private func shorten() {
    _ = locked { _ in
      let kept = lines().suffix(limit).map { $0 + "\n" }.joined()
      let other = path + ".new"
      let file = Glibc.open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard file >= 0 else { return systemError() }
      defer { close(file) }
      let bytes = Array(kept.utf8)
      guard Glibc.write(file, bytes, bytes.count) == bytes.count, rename(other, path) == 0 else {
        unlink(other)
        return systemError()
      }
      return nil
    }
  }

  /// Runs the work under the file's lock; returns the reason if that fails.
  private func locked(_ work: (Int32) -> String?) -> String? {
    makeFolders()
    for _ in 0..<10 {
      let file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard file >= 0 else { return systemError() }
      defer { close(file) }
      guard flock(file, LOCK_EX) == 0 else { return systemError() }
      // Another file may have taken its place during the wait.
      var (mine, current) = (stat(), stat())
      guard fstat(file, &mine) == 0, stat(path, &current) == 0, mine.st_ino == current.st_ino else {
        continue
      }
      return work(file)
    }
    return "it is being replaced all the time"
  }

  /// Makes the folders that it is in.
  func makeFolders() {
    var end = path.index(after: path.startIndex)
    while let slash = path[end...].firstIndex(of: "/") {
      mkdir(String(path[..<slash]), 0o700)
      end = path.index(after: slash)
    }
  }
}

/// The user's directories, by the XDG Base Directory Specification.
enum PromptPaths {
  /// The history of the prompt.
  static var history: String? { folder("XDG_STATE_HOME", ".local/state").map { $0 + "/lookahead/history" } }

  /// The script run when a prompt starts.
  static var initFile: String? { folder("XDG_CONFIG_HOME", ".config").map { $0 + "/lookahead/init.lua" } }

  /// A user's path, with `~/` expanded.
  static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = variable("HOME") else { return path }
    return home + path.dropFirst()
  }

  /// The variable's directory, if absolute, or else one in the home directory.
  private static func folder(_ name: String, _ standard: String) -> String? {
    if let folder = variable(name), folder.hasPrefix("/") { return folder }
    return variable("HOME").map { "\($0)/\(standard)" }
  }

  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
