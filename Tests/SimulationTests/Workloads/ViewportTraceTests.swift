import Paging
import Simulation
import Testing

@Suite struct ViewportTraceTests {
  private let trace = try! ViewportTrace(
    points: [
      .init(milliseconds: 1000, first: 0, last: 6), .init(milliseconds: 1100, first: 2, last: 8),
      .init(milliseconds: 1200.5, first: 4, last: 10), .init(milliseconds: 9000, first: 40, last: 46),
      .init(milliseconds: 9500, first: 39, last: 45),
    ], viewport: 7, items: 100, source: "a \"quoted\"\nsource\u{1}")

  /// The points as CSV with a line of names.
  private var csv: String {
    trace.points.reduce(into: "t_ms,first,last\n") { $0 += "\($1.milliseconds),\($1.first),\($1.last)\n" }
  }

  @Test func `what is written is read again, as lines and as CSV`() throws {
    #expect(try ViewportTrace(text: trace.text) == trace)
    #expect(try ViewportTrace(text: trace.text.replacing("\n", with: "\r\n")) == trace)
    #expect(try ViewportTrace(text: csv).points == trace.points)
  }

  @Test func `rows may be arrays and the header may be short`() throws {
    let text = """
      {"version": 1, "format": "lookahead.viewport", "tool": {"name": "x\\u00e9\\ud83d\\ude00"}}
      [0, 0, 6]

      [250, 1, 7]
      """

    let read = try ViewportTrace(text: text)

    #expect(read.viewport == 7)
    #expect(read.items == nil)
    #expect(
      read.points == [.init(milliseconds: 0, first: 0, last: 6), .init(milliseconds: 250, first: 1, last: 7)])
  }

  @Test(arguments: [
    "time,first,last\n1,0,6\n1.1,2,8\n1.2005,4,10\n9,40,46\n9.5,39,45",
    "event,last,first,time\nscroll,6,0,1\nscroll,8,2,1.1\n,10,4,1.2005\nfling,46,40,9\nend,45,39,9.5\n",
    """
    {"time":1,"first":0,"last":6}
    {"time":1.1,"first":2,"last":8,"event":"scroll"}

    {"first":4,"last":10,"t_ms":1200.5}
    {"time":9,"event":{"kind":"fling"},"first":40,"last":46}
    {"time":9.5,"first":39,"last":45}
    """,
  ])
  func `what others recorded is read, in seconds too`(_ text: String) throws {
    #expect(try ViewportTrace(text: text).points == trace.points)
  }

  @Test func `a path shows exactly what was recorded`() {
    let path = trace.path

    #expect(path.end.seconds == 8.5)
    #expect(path.viewport(at: .zero + .milliseconds(150)).firstVisible == 2)
    #expect(path.time(whenItemVisible: 10) == .zero + .microseconds(200_500))
    #expect(path.time(whenItemVisible: 20) == nil)
    #expect(path.seenRanges == [0..<11, 39..<47])
  }

  @Test func `a tracker's speed is over soon after the last step`() {
    let path = trace.path

    #expect(abs(path.velocity(at: .zero + .milliseconds(150)) - 20) < 1e-9)
    #expect(abs(path.velocity(at: .zero + .milliseconds(300)) - 4 / 0.2005) < 1e-9)
    #expect(path.velocity(at: .zero + .milliseconds(500)) == 0)
    #expect(path.velocity(at: .zero + .milliseconds(8000)) == 0)
  }

  @Test func `hashes tell sessions apart`() throws {
    let shifted = try ViewportTrace(points: trace.points.dropLast(), viewport: 7)

    #expect(trace.hash.count == 16)
    #expect(trace.hash != shifted.hash)
    #expect(try ViewportTrace(points: trace.points).hash == trace.hash)
  }

  @Test(arguments: [
    ("", 0, "a header"),
    ("hello", 1, "a header as {\"format\":\"lookahead.viewport\",…}, t_ms,first,last or time,first,last"),
    (
      "{\"format\":\"lookahead.viewport\",\"version\":2}", 1,
      "\"format\":\"lookahead.viewport\",\"version\":1"
    ),
    ("t_ms,first,last", 0, "at least one point"),
    ("time,first,last", 0, "at least one point"),
    (
      "time,first", 1, "a header as {\"format\":\"lookahead.viewport\",…}, t_ms,first,last or time,first,last"
    ),
    ("time,first,last,x\n0,0,6", 2, "t_ms, first and last"),
    ("{\"first\":0,\"last\":6}", 1, "t_ms, first and last"),
    ("t_ms,first,last\n0,0,6\n\n1,2", 4, "t_ms, first and last"),
    ("t_ms,first,last\n5,0,6\n4,0,6", 3, "a time from the one before on"),
    ("t_ms,first,last\n5,-1,6", 2, "a first item from 0 to 100000000"),
    ("t_ms,first,last\n5,9,6", 2, "a last item from one less than the first on"),
    ("t_ms,first,last\n5,0,1e30", 2, "t_ms, first and last"),
    ("{\"format\":\"lookahead.viewport\",\"version\":1,\"items\":5}\n[0,0,6]", 2, "items below 5"),
    (
      "{\"format\":\"lookahead.viewport\",\"version\":1,\"items\":1.5}\n[0,0,6]", 1,
      "items as a whole number to 1000000000"
    ),
    ("{\"format\":\n", 1, "a JSON value"), ("{\"a\" 1}", 1, "`:`"),
    ("{\"format\":\"lookahead.viewport\",\"version\":1,\"hash\":\"0\"}\n[0,0,6]", 1, "points of the hash 0"),
  ])
  func `a wrong text says where and what was expected`(text: String, line: Int, expected: String) {
    let error = #expect(throws: TraceTextError.self) { try ViewportTrace(text: text) }

    #expect(error?.line == line)
    #expect(error?.expected == expected)
  }

  @Test func `ticks of a mouse wheel move the list`() throws {
    let session = """
      record timestamp,client timestamp,button,state,x,y
      0.0,10.0,NoButton,Move,5,5
      0.1,10.2,Scroll,Down,5,5
      0.1,10.1,Scroll,Down,5,5
      0.2,10.3,Scroll,Up,5,5
      0.3,400.0,Scroll,Up,5,5
      0.3,400.1,Scroll,Up,5,5
      """

    let trace = try BalabitSession.trace(session)

    #expect(trace.points.map(\.milliseconds) == [0, 100, 200, 300, 60_300, 60_400])
    #expect(trace.points.map(\.first) == [0, 1, 2, 1, 0, 0])
    #expect(trace.points.allSatisfy { $0.last == $0.first + 6 })
    var rule = BalabitSession.Rule()
    rule.itemsPerTick = 0.5
    #expect(try BalabitSession.trace(session, rule: rule).points.map(\.first) == [0, 0, 1, 0, 0, 0])
  }

  @Test(arguments: [
    ("", 0, ""), ("a,b\n", 1, "a,b"),
    ("record timestamp,client timestamp,button,state,x,y\n0,0,Scroll,Left,0,0", 2, "Left"),
    ("record timestamp,client timestamp,button,state,x,y\n0,zero,Scroll,Up,0,0", 2, "0,zero,Scroll,Up,0,0"),
  ])
  func `a wrong mouse session says where`(text: String, line: Int, found: String) {
    let error = #expect(throws: TraceTextError.self) { try BalabitSession.trace(text) }

    #expect(error?.line == line)
    #expect(error?.found == found)
  }
}
