import Paging
import Testing

/// Who has room at a host: calls whose number is found out, and all others.
@Suite struct RequestGateWidthTests {
  private let automatic = GateTerms(width: .automatic)

  @Test func `calls whose number is found out begin with the usual one, and leave room for others`() {
    var rig = GateRig()

    for _ in 0..<40 { rig.get("https://a.example/", automatic) }
    #expect(rig.sent.count == 4)
    for _ in 0..<40 { rig.get() }

    #expect(rig.sent.count == 4 + 16)
  }

  @Test
  func `what one source has found out, the next one of the host begins with, and another host does not`() {
    var rig = GateRig()
    var answered = 0
    for _ in 0..<200 { rig.get("https://a.example/", automatic) }
    while answered < rig.sent.count {
      rig.now = rig.now + .milliseconds(20)
      for call in rig.sent[answered...] { rig.reply(call.id, 200) }
      answered = rig.delivered.count
    }
    #expect(rig.sent.count == 200)

    for _ in 0..<40 { rig.get("https://a.example/", GateTerms(source: "other", width: .automatic)) }
    #expect(rig.sent.count > 200 + 4)
    let before = rig.sent.count
    for _ in 0..<40 { rig.get("https://b.example/", automatic) }
    #expect(rig.sent.count == before + 4)
  }

  @Test func `a number that a source says is kept to, also beyond the gate's own`() {
    var rig = GateRig()

    for _ in 0..<80 { rig.get("https://a.example/", GateTerms(width: .pages(64))) }

    #expect(rig.sent.count == 64)
  }

  @Test(arguments: [429, 503]) func `a host that refuses is asked for half as much, which is told`(
    status: Int
  ) {
    var rig = GateRig()
    let ids = (0..<8).map { _ in rig.get("https://a.example/", automatic) }

    for id in ids.prefix(4) { rig.reply(id, status, [HTTPHeader("Retry-After", "1")]) }

    #expect(rig.notes.contains(.narrowed(host: "a.example", width: 2)))
    rig.pass(.seconds(2))
    #expect(rig.sent.count == 4 + 2)
  }

  @Test func `a call that is cancelled makes room`() {
    var rig = GateRig()
    let ids = (0..<8).map { _ in rig.get("https://a.example/", automatic) }
    #expect(rig.sent.count == 4)

    for id in ids { rig.cancel(id) }
    for _ in 0..<8 { rig.get("https://a.example/", automatic) }

    #expect(rig.sent.count == 8 + 4)
    #expect(rig.gate.callCount == 8)
  }
}
