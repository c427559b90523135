import Items
import Paging
import Testing

@Suite struct RequestGateRedirectTests {
  private let secrets = [
    HTTPHeader("Authorization", "Bearer x"), HTTPHeader("cookie", "a=b"), HTTPHeader("X-Api-Key", "k"),
    HTTPHeader("Tenant", "t"), HTTPHeader("Accept", "*/*"), HTTPHeader("Accept-Language", "de"),
    HTTPHeader("User-Agent", "me"),
  ]

  private func follow(
    _ status: Int, to target: String, method: String = "GET", from: String = "https://a.example/1"
  ) -> HTTPRequest {
    var rig = GateRig()
    let request = HTTPRequest(
      method: method, url: from, headers: secrets + [HTTPHeader("Content-Type", "text/plain")],
      body: method == "GET" ? nil : Bytes("body"))
    let id = rig.submit(request)
    rig.reply(id, status, to: target)
    return rig.sent[1].request
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect becomes a new attempt`(_ status: Int) {
    let request = follow(status, to: "https://a.example/2")

    #expect(request.url == "https://a.example/2")
    #expect(request.method == "GET")
    #expect(request.headers["Authorization"] == "Bearer x")
  }

  @Test(arguments: [
    ("https://a.example/2", "https://me:p%40ss@a.example/2"),
    ("https://you@a.example/2", "https://you@a.example/2"), ("https://b.example/2", "https://b.example/2"),
    ("http://a.example/2?x=@", "http://a.example/2?x=@"),
  ])
  func `a login in the address stays with its origin`(target: String, url: String) {
    #expect(follow(302, to: target, from: "https://me:p%40ss@a.example/1").url == url)
  }

  @Test func `a status without a target, and one that is no redirect, are delivered`() {
    for (status, target) in [(302, nil), (300, "https://a.example/2"), (304, "https://a.example/2")] {
      var rig = GateRig()
      let id = rig.get()

      rig.reply(id, status, to: target)

      #expect(rig.status(id) == status)
    }
  }

  @Test func `303 and the old habit with 301 and 302 turn a POST into a GET without its body`() {
    for status in [301, 302, 303] {
      let request = follow(status, to: "https://a.example/2", method: "POST")

      #expect(request.method == "GET")
      #expect(request.body == nil)
      #expect(request.headers["content-type"] == nil)
    }
  }

  @Test func `307 and 308 keep the method and the body`() {
    for status in [307, 308] {
      let request = follow(status, to: "https://a.example/2", method: "POST")

      #expect(request.method == "POST")
      #expect(request.body == Bytes("body"))
    }
    #expect(follow(301, to: "https://a.example/2", method: "PUT").method == "PUT")
    #expect(follow(303, to: "https://a.example/2", method: "HEAD").method == "HEAD")
  }

  @Test(arguments: [
    "https://b.example/", "https://a.example.evil.example/", "http://a.example/", "https://a.example:8443/",
    "https://a.example@evil.example/", "https://evil.example#@a.example/",
    "https://evil.example\\@a.example/",
  ])
  func `credentials stay where they were meant to go`(_ target: String) {
    let request = follow(302, to: target)

    #expect(request.headers.map(\.name) == ["Accept", "Accept-Language", "User-Agent"])
  }

  @Test(arguments: [
    ("https://a.example/1", "https://A.EXAMPLE:443/2"), ("http://a.example/1", "https://a.example/2"),
    ("https://[::1]:8443/", "https://[::1]:8443/2"), ("https://user@a.example/", "https://a.example/2"),
  ])
  func `credentials follow to the same host`(_ from: String, _ to: String) {
    let request = follow(302, to: to, from: from)

    #expect(request.headers["Authorization"] == "Bearer x")
    #expect(request.headers["X-Api-Key"] == "k")
  }

  @Test(arguments: [307, 308]) func `a body goes nowhere that the script did not send it`(_ status: Int) {
    for target in ["https://b.example/2", "http://a.example/2", "https://a.example:8443/2"] {
      var rig = GateRig()
      let id = rig.submit(HTTPRequest(method: "POST", url: "https://a.example/1", body: Bytes("secret")))

      rig.reply(id, status, to: target)

      #expect(rig.sent.count == 1)
      #expect(rig.failure(id)?.code == .http)
      #expect(
        rig.failure(id)?.message.hasPrefix("a.example redirects the body of a POST to ") == true)
    }
  }

  @Test(arguments: [(301, true), (302, true), (303, false), (307, false), (308, false)])
  func `that a body is not sent on is noted, where the server has not asked for that`(
    status: Int, isNoted: Bool
  ) {
    var rig = GateRig()
    var request = HTTPRequest(url: "https://a.example/search")
    (request.method, request.body) = ("POST", Bytes("{}"))
    let id = rig.submit(request)

    rig.reply(id, status, to: "https://a.example/search/")

    #expect(
      rig.notes.contains(
        .redirected(id, to: "a.example", droppedCredentials: false, droppedBody: isNoted)))
  }

  @Test func `a loop ends after ten redirects`() {
    var rig = GateRig()
    let id = rig.get()

    for _ in 0..<11 { rig.reply(id, 302, to: "https://a.example/") }

    #expect(rig.sent.count == 11)
    #expect(rig.failure(id)?.code == .http)
  }

  @Test func `a redirect counts for the width of the host it leads to`() {
    var rig = GateRig(maxWidth: 1)
    let busy = rig.get("https://b.example/")
    let moved = rig.get("https://a.example/")

    rig.reply(moved, 302, to: "https://b.example/2")
    #expect(rig.sent.count == 2)
    rig.reply(busy, 200)

    #expect(rig.sent.last?.id == moved)
    #expect(
      rig.notes.contains(.redirected(moved, to: "b.example", droppedCredentials: false, droppedBody: false)))
  }
}
