import Synchronization

/// Messages of scripts while the lab runs. Every thread loads the scripts, so each line is shown only once.
final class LabMessages: Sendable {
  private let shown = Mutex<Set<String>>([])

  /// Shows a line on standard error, the first time.
  func say(_ line: String) {
    let isNew = shown.withLock { $0.insert(line).inserted }
    if isNew { standardError(line) }
  }
}
