import Hosting
import Paging

/// The rows that a database answers, as JSON; the message where it refuses.
func rows(_ sql: String, of path: String) -> String? {
  let databases = DatabaseCalls(permissions: .all)
  defer { databases.finish() }
  let handle = databases.answer(.openDatabase(path: path, isReadOnly: true)).handle
  let reply = databases.answer(.query(handle: handle, SQLStatement(sql)))
  return reply.text ?? reply.failure?.message
}
