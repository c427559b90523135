import Hosting
import Paging
import Testing

/// The rows that a database answers, as JSON; the message where it refuses.
func rows(_ sql: String, of path: String) -> String? {
  let databases = DatabaseCalls(permissions: .all)
  defer { databases.finish() }
  let handle = databases.answer(.openDatabase(path: path, isReadOnly: true)).handle
  let reply = databases.answer(.query(handle: handle, SQLStatement(sql)))
  return reply.text ?? reply.failure?.message
}

/// Has a database carry out a statement.
func change(_ sql: String, in path: String) {
  let databases = DatabaseCalls(permissions: .all)
  defer { databases.finish() }
  let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
  #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil)
}
