import Hosting
import Items
import Paging
import TestSupport
import Testing

/// A server that ends our connection while rows are on their way.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct LostConnectionTests {
  @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 4], [200, 4000])
  func `what was under way is written again, to each table once`(tables: Int, length: Int) throws {
    let destination = try Destination(.postgresql)
    let note = String(repeating: "x", count: length)
    let sink = LateSink(try OutputPlace(SinkConfiguration(path: destination.output)))
    try sink.prepare()
    for round in 0..<60 {
      for table in 0..<tables {
        let items = (round * 20..<round * 20 + 20).map {
          item(Int64($0), #"{"id":\#($0),"note":"\#(note)"}"#)
        }
        _ = sink.answer(Delivery(stream: "t\(table)", items: items))
      }
      guard round % 20 == 15 else { continue }
      _ = try destination.rows(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
      )
    }
    let report = sink.finish(.whole)

    #expect(report.failure == nil)
    for table in 0..<tables {
      #expect(try destination.rows("select count(*), sum(id) from t\(table)") == ["1200|\(1199 * 600)"])
    }
  }
}
