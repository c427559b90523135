import Glibc
import Terminal

/// The history on disk: one entry to a line, readable by its owner only, shared by all prompts of a person.
///
/// Entries are only ever added to its end, each under a lock; when there are far too many, the newest take the place of
/// all under the same lock. So two prompts never take anything from each other.
final class HistoryFile {
  private let path: String
  private let limit: Int
  /// Whether writing failed once; then it is left alone.
  private var isBroken = false

  init(_ path: String, limit: Int = 10_000) {
    self.path = path
    self.limit = limit
  }

  /// What it holds, oldest first.
  func read() -> LineHistory {
    let entries = lines().map { LineHistory.entry(of: $0) }
    if entries.count > limit + limit / 10 { shorten() }
    return LineHistory(entries, limit: limit)
  }

  /// Adds an entry; the reason when that is not possible, which is reported once.
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

  /// Lines that are no text, as a disk may leave them, are shown as far as they are.
  private func lines() -> [Substring] {
    String(decoding: TextFile.bytes(path) ?? [], as: UTF8.self).split(separator: "\n")
  }

  /// Keeps the newest entries in a new file, which takes the place of this one.
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

  /// Does it while no other prompt writes the file; the reason when that fails.
  private func locked(_ work: (Int32) -> String?) -> String? {
    makeFolders()
    for _ in 0..<10 {
      let file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard file >= 0 else { return systemError() }
      defer { close(file) }
      guard flock(file, LOCK_EX) == 0 else { return systemError() }
      // While this one waited, another file may have taken its place.
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

/// Where a person's files are, as the XDG Base Directory Specification has it.
enum PromptPaths {
  /// The history of the prompt.
  static var history: String? { folder("XDG_STATE_HOME", ".local/state").map { $0 + "/lookahead/history" } }

  /// What is run when the prompt begins.
  static var initFile: String? { folder("XDG_CONFIG_HOME", ".config").map { $0 + "/lookahead/init.lua" } }

  /// A path of a person's, where `~/` is their own folder.
  static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = variable("HOME") else { return path }
    return home + path.dropFirst()
  }

  /// The variable's folder, which counts only when it is absolute, or else one in the person's own.
  private static func folder(_ name: String, _ standard: String) -> String? {
    if let folder = variable(name), folder.hasPrefix("/") { return folder }
    return variable("HOME").map { "\($0)/\(standard)" }
  }

  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
