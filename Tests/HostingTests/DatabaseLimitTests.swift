import Hosting
import Items
import Paging
import Synchronization
import Testing

@Suite struct DatabaseLimitTests {
  private static let endless =
    "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n"

  @Test func `a query without end stops when the processor time is used up`() {
    let spent = Mutex(Duration.zero)
    let account = ScriptAccount { time in
      spent.withLock {
        $0 += time
        return $0 < .milliseconds(50)
      }
    }
    let (databases, handle) = open(account)

    let failure = databases.answer(.query(handle: handle, SQLStatement(DatabaseLimitTests.endless))).failure

    #expect(
      failure
        == HostFailure(
          .limit,
          ":memory:: the statement was stopped: the processor time of the script is used up (--max-cpu raises it)"
        ))
    #expect(spent.withLock { $0 } >= .milliseconds(50))
    let next = databases.answer(.query(handle: handle, SQLStatement("SELECT 1"))).failure
    #expect(next?.code == .limit)
  }

  @Test(arguments: [
    "CREATE TABLE t AS \(endless)", "INSERT INTO s \(endless)",
    "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n ORDER BY i",
  ])
  func `other work without end stops too`(sql: String) {
    let left = Mutex(Duration.milliseconds(100))
    let (databases, handle) = open(
      ScriptAccount { time in
        left.withLock {
          $0 -= time; return $0 > .zero
        }
      })
    _ = databases.answer(.execute(handle: handle, SQLStatement("CREATE TABLE s (a)")))

    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure?.code == .limit)
  }

  @Test func `the time of every call is paid`() {
    let payments = Mutex(0)
    let (databases, handle) = open(
      ScriptAccount { time in
        payments.withLock {
          $0 += time > .zero ? 1 : 0; return true
        }
      })
    let before = payments.withLock { $0 }
    let rows = databases.answer(.openRows(handle: handle, SQLStatement("SELECT 1 AS a"))).handle
    _ = databases.answer(.nextRows(handle: rows, limit: 5))

    #expect(before > 0)
    #expect(payments.withLock { $0 } >= before + 2)
  }

  @Test func `rows are an answer of limited size, and there is another way to them`() {
    let (databases, handle) = open(ScriptAccount(largestAnswer: 10_000))
    let sql =
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n"

    let failure = databases.answer(.query(handle: handle, SQLStatement(sql))).failure
    let rows = databases.answer(.openRows(handle: handle, SQLStatement(sql))).handle
    var count = 0
    while case .rows(let json, let isEnd) = databases.answer(.nextRows(handle: rows, limit: 500)) {
      #expect(json.text.count <= 10_000)
      count += json.text.string.split(separator: "},{").count
      if isEnd { break }
    }

    #expect(failure?.code == .tooLarge)
    #expect(
      failure?.message.hasPrefix(
        ":memory:: the rows are over the limit of 10,000 bytes: read them one after the other with db:rows "
          + "(--max-body raises the limit)") == true)
    #expect(count == 2000)
  }

  @Test(arguments: [
    "SELECT zeroblob(9000) AS a", "SELECT hex(zeroblob(4999)) AS a, 'more' AS b",
    "SELECT replace(hex(zeroblob(1000)), '0', char(1)) AS a",
    "SELECT hex(zeroblob(3000)) AS a, hex(zeroblob(3000)) AS b",
  ])
  func `one row has that limit as well`(sql: String) {
    let (databases, handle) = open(ScriptAccount(largestAnswer: 10_000))
    let rows = databases.answer(.openRows(handle: handle, SQLStatement(sql))).handle

    let failure = databases.answer(.nextRows(handle: rows, limit: 1)).failure

    #expect(failure?.code == .tooLarge)
    #expect(failure?.message.contains("select fewer columns, or parts of them with substr()") == true)
  }

  @Test func `a value has a limit before it is made`() {
    let (databases, handle) = open(ScriptAccount(largestAnswer: 10_000))

    let failure = databases.answer(.query(handle: handle, SQLStatement("SELECT length(zeroblob(10001))")))
      .failure

    #expect(
      failure?.message.hasPrefix(":memory:: string or blob too big: a value may have as many bytes") == true)
  }

  @Test(arguments: [
    String(repeating: "(", count: 600) + "1" + String(repeating: ")", count: 600),
    Array(repeating: "SELECT 1", count: 300).joined(separator: " UNION "),
    "'" + String(repeating: "x", count: 1_000_000) + "'", "?32767",
    "'a' LIKE '" + String(repeating: "%a", count: 600) + "'",
  ])
  func `SQL has limits`(text: String) {
    let (databases, handle) = open(ScriptAccount())
    let sql = text.hasPrefix("SELECT") ? text : "SELECT \(text)"

    #expect(databases.answer(.query(handle: handle, SQLStatement(sql))).failure != nil)
    #expect(databases.answer(.query(handle: handle, SQLStatement("SELECT 1 AS a"))).text == #"[{"a":1}]"#)
  }

  @Test func `so many databases and cursors are open and no more`() {
    let (databases, handle) = open(ScriptAccount())
    var count = 1
    while databases.answer(.openRows(handle: handle, SQLStatement("SELECT 1"))).failure == nil, count < 1000 {
      count += 1
    }

    #expect(count == 128)
  }

  /// The function compares for some seconds without a look around.
  @Test func `a function that can't be interrupted is not waited for`() {
    let left = Mutex(Duration.milliseconds(100))
    let account = ScriptAccount { time in
      left.withLock {
        $0 -= time
        return $0 > .zero
      }
    }
    let loop = LiveLoop(world: World(permissions: .all, target: Nowhere(), account: account))
    let sql = "SELECT length(replace(hex(zeroblob(300000)), hex(zeroblob(150000)) || '1', '')) AS n"

    let replies = loop.perform([
      .openDatabase(path: ":memory:", isReadOnly: false), .query(handle: 2, SQLStatement(sql)),
      .query(handle: 2, SQLStatement("SELECT 1")),
    ])

    #expect(replies.map(\.failure?.code) == [nil, .limit, .limit])
  }

  private func open(_ account: ScriptAccount) -> (DatabaseCalls, Int) {
    let databases = DatabaseCalls(permissions: .all, account: account)
    return (databases, databases.answer(.openDatabase(path: ":memory:", isReadOnly: false)).handle)
  }
}
