import Synchronization

/// What scripts say while the lab runs. Every thread loads the scripts for itself, so the same line comes from each of them:
/// it is shown once.
final class LabMessages: Sendable {
  private let shown = Mutex<Set<String>>([])

  /// Shows a line on standard error, the first time that it comes.
  func say(_ line: String) {
    let isNew = shown.withLock { $0.insert(line).inserted }
    if isNew { standardError(line) }
  }
}
