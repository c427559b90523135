import Paging
import Simulation
import Testing

@Suite struct WorldTextTests {
  @Test func `a workload is a name with options`() throws {
    let text = try WorldText("fling:flings=20,platform=android,viewport=5,name=thumb")

    let workload = try Workload(text)

    #expect(workload.name == "thumb")
    #expect(workload.platform == .android)
    #expect(workload.viewport == 5)
    #expect(workload.parameters["flings"] == 20)
    #expect(workload.parameters["reverse"] == 0.08)
    #expect(
      workload.summary
        == "fling: flings through a feed and rests to look, now and then flings back, viewport 5, platform android, flings 20"
    )
  }

  @Test func `a recording is a workload`() throws {
    let text = try WorldText("trace:a,b.jsonl,name=monday")

    let workload = try Workload(text, contents: "t_ms,first,last\n0,0,6\n500,30,36")
    let session = "record timestamp,client timestamp,button,state,x,y\n0,0,,Move,0,0\n0,1,Scroll,Down,0,0"
    let wheel = try Workload(try WorldText("balabit:m,itemsPerTick=3"), contents: session)

    #expect(text.file == "a,b.jsonl")
    #expect(workload.path(seed: 1, session: 8).itemsSeen == 14)
    #expect(wheel.path(seed: 1, session: 0).itemsSeen == 10)
    #expect(try WorldText("fling").file == nil)
  }

  @Test(arguments: [
    ("reference", "latency lognormal, median 0.35 s, sigma 0.5"), ("instant", "latency fixed 0 s"),
    ("fixed:0.2,loss=0.01", "latency fixed 0.2 s, loss 0.01, given up after 10 s"),
    ("uniform:0.1,0.3,rate=10", "latency uniform 0.1 to 0.3 s, at most 10 requests in 1 s"),
    (
      "exponential:2,errors=0.1,rate=10/1.5",
      "latency exponential, mean 2 s, errors 0.1, at most 10 requests in 1.5 s"
    ),
    (
      "lognormal:0.35,0.5,bandwidth=250000",
      "latency lognormal, median 0.35 s, sigma 0.5, bandwidth 250000 B/s, 1000 B per item"
    ),
  ])
  func `a network is a law with options`(text: String, summary: String) throws {
    let network = try Network(try WorldText(text))

    #expect(network.summary == summary)
    #expect(network.name == text)
  }

  @Test(arguments: [
    ("measured:f", "0.1\n0.3\n0.2\n", "latency as 3 measured, median 0.2 s"),
    ("measured:f", "[1, 3]", "latency as 2 measured, median 2 s"),
    (
      "measured:f", "[{\"duration_ms\": 5, \"bandwidth_kbps\": 8, \"latency_ms\": 9}]",
      "latency from a log of 1 rows, bandwidth from a log of 1 rows, 1000 B per item"
    ),
    (
      "mahimahi:f,latency=0.05", "1\n5\n5\n",
      "latency fixed 0.05 s, bandwidth from 3 packet slots, 1000 B per item"
    ),
  ])
  func `a network is made of a file`(text: String, contents: String, summary: String) throws {
    #expect(try Network(try WorldText(text), contents: contents).summary == summary)
    #expect(throws: InvalidWorld.self) { try Network(try WorldText(text)) }
  }

  @Test(arguments: [
    ("", "world"),
    ("fixed", "fixed"),
    ("fixed:x", "fixed.SECONDS"),
    ("fixed:1,2", "fixed"),
    ("fixed:-1", "latency"),
    ("lognormal:0.3,0.5,0.6", "lognormal"),
    ("lognormal:0.3,9", "latency's sigma"),
    ("uniform:3,1", "uniform.HIGH"),
    ("fixed:1,loss=2", "loss"), ("fixed:1,loss=", "fixed.loss"), ("fixed:1,los=0.1", "fixed"),
    ("fixed:1,loss=0.1,loss=0.2", "fixed.loss"),
    ("fixed:1,loss=0.1,7", "fixed"),
    ("fixed:1,rate=0/1", "rate limit's requests"),
    ("fixed:1,rate=1/2/3", "fixed.rate"),
    ("fixed:1,bandwidth=0", "bandwidth"),
    ("cable", "network"),
    ("sabre:", "sabre"),
    ("fixed:1,latency=2", "fixed"), ("reference:3", "reference"), ("fixed:inf", "fixed.SECONDS"),
  ])
  func `a wrong network names what is wrong`(text: String, name: String) {
    let error = #expect(throws: InvalidWorld.self) { try Network(try WorldText(text)) }

    #expect(error?.name == name)
  }

  @Test(arguments: [
    ("walker", "workload"),
    ("fling:3", "fling"),
    ("fling:reverse=2", "fling.reverse"),
    ("fling:platform=palm", "fling.platform"),
    ("fling:items=0", "fling.items"),
    ("reader:flings=3", "reader"),
    ("trace:file", "trace"),
    ("fling:viewport=0", "viewport"),
  ])
  func `a wrong workload names what is wrong`(text: String, name: String) {
    let error = #expect(throws: InvalidWorld.self) { try Workload(try WorldText(text)) }

    #expect(error?.name == name)
  }
}
