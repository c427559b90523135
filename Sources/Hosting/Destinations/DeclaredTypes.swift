import Paging
import Synchronization

/// What sources say that columns are, by the names of their streams; said on one thread and asked on another.
final class DeclaredTypes: Sendable {
  private let types = Mutex<[String: [String: DeclaredType]]>([:])

  /// The columns of a stream, by the names of members.
  subscript(stream: String) -> [String: DeclaredType] { types.withLock { $0[stream] ?? [:] } }

  /// Notes what the columns of a stream are.
  func declare(_ columns: [String: DeclaredType], of stream: String) {
    types.withLock { $0[stream] = columns }
  }
}
