import Paging
import Simulation
import Testing

@Suite struct TraceFuzzTests {
  private static let trace = """
    {"format":"lookahead.viewport","version":1,"items":900,"viewport":7,"source":"x\\n\\u00e9"}
    {"t_ms":0,"first":0,"last":6}
    [120.5,3,9]
    {"t_ms":9000,"first":140,"last":146}
    """
  private static let csv = "t_ms,first,last\r\n0,0,6\r\n10,1,7\r\n250,30,36\r\n"
  private static let mouse = """
    record timestamp,client timestamp,button,state,x,y
    0.0,10.0,NoButton,Move,5,5
    0.1,10.2,Scroll,Down,5,5
    0.2,10.3,Scroll,Up,5,5
    """
  private static let sabre = """
    [{"duration_ms": 1000, "bandwidth_kbps": 800, "latency_ms": 90},
     {"duration_ms": 500.5, "bandwidth_kbps": 0, "latency_ms": 1e2}]
    """

  @Test(arguments: [
    ("trace:f", trace),
    ("trace:f", csv),
    ("balabit:f", mouse),
    ("sabre:f", sabre),
    ("measured:f", "[0.1, 0.2]"),
    ("measured:f", "0.1\n0.2\n"), ("mahimahi:f", "0\n3\n3\n17\n"),
  ])
  func `broken files are read or refused, and what is read can be used`(name: String, whole: String) throws {
    let text = try WorldText(name)
    let seed: UInt64 = 41
    var random = RandomStream(seed: seed)
    var read = 0
    for _ in 0..<1500 {
      let contents = damaged(whole, &random)
      do {
        if name.hasPrefix("trace") || name.hasPrefix("balabit") {
          let path = try Workload(text, contents: contents).path(seed: 1, session: 0)
          #expect(
            path.itemsSeen >= 0 && path.viewport(at: path.end).firstVisible >= 0, "seed \(seed): \(contents)")
        } else {
          var session = NetworkSession(try Network(text, contents: contents), seed: 1, session: 0)
          for page in 0..<5 {
            let outcome = session.outcome(page: page, attempt: 1, at: .zero + .seconds(page), items: 20)
            #expect(outcome.at >= .zero + .seconds(page), "seed \(seed): \(contents)")
          }
        }
        read += 1
      } catch is TraceTextError {
      } catch is InvalidWorld {
      }
    }
    #expect(read > 0 && read < 1500)
  }

  private func damaged(_ whole: String, _ random: inout RandomStream) -> String {
    var bytes = Array(whole.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeSubrange(place...)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: Array("99999e9".utf8), at: place)
      default: bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `JSON that nests for ever is refused`() throws {
    let text = try WorldText("sabre:f")

    #expect(throws: TraceTextError.self) {
      try Network(text, contents: String(repeating: "[", count: 100_000))
    }
  }
}
