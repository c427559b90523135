import Foundation
import Hosting
import Items
import Paging
import Testing

@Suite struct HTTPFailureTests {
  @Test func `a refused connection is named and may be tried again`() {
    let port = ScriptedServer.unusedPort()

    let failure = failure(HTTPRequest(url: "http://127.0.0.1:\(port)/"))

    var expected = HostFailure(
      .network, "could not connect to 127.0.0.1:\(port) (connection refused)", isTransient: true)
    expected.isUnsent = true
    #expect(failure == expected)
  }

  @Test func `a body cut short says how much came`() {
    let half = String(repeating: "x", count: 1000)
    let server = ScriptedServer(
      .sendAndClose(Data(lines: "HTTP/1.1 200 OK\nContent-Length: 2000\n\n\(half)")))

    let failure = failure(HTTPRequest(url: server.url("/items?page=2")))

    #expect(
      failure
        == HostFailure(
          .network, "the answer from \(server.url("/items?page=2")) ended after 1,000 of 2,000 bytes",
          isTransient: true))
  }

  @Test func `a chunked body cut short is a failure too`() {
    let server = ScriptedServer(
      .sendAndClose(Data(lines: "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n")))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(failure?.code == .network)
    #expect(failure?.isTransient == true)
    #expect(failure?.message == "the answer from \(server.url()) ended after 5 bytes of an unknown number")
  }

  @Test(
    arguments: ["GET", "HEAD"],
    ["HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\nContent-Type: text/csv\n", "HTTP/1.1 200 OK\nContent-Ty"])
  func `headers that end in their middle are no answer`(method: String, head: String) {
    let server = ScriptedServer(.sendAndClose(Data(lines: head)))

    let failure = failure(HTTPRequest(method: method, url: server.url()))

    #expect(failure?.code == .network)
    #expect(failure?.isTransient == true)
    #expect(failure?.message.contains("broke the connection before the answer to \(server.url())") == true)
  }

  @Test(arguments: [
    (["Content-Encoding: gzip", "Content-Encoding: gzip"], "compressed in a way that was not offered"),
    (["Content-Encoding: gzip, gzip"], "compressed in a way that was not offered"),
    (["Content-Encoding: deflate", "Content-Encoding: identity", "Content-Encoding: gzip"], "not offered"),
    (["Content-Encoding: identity", "Content-Encoding: br"], "not offered"),
    (["Content-Length: 99999999999999999999"], "a length that no body has"),
  ])
  func `a body that can't be read as it is meant is none`(headers: [String], reason: String) {
    let server = ScriptedServer(
      .sendAndClose(Data(lines: (["HTTP/1.1 200 OK"] + headers + ["", "id"]).joined(separator: "\n"))))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(failure?.code == .network)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }

  @Test func `what was done to a body on its way has to be one that was offered`() {
    let server = ScriptedServer(
      .sendAndClose(
        Data(lines: "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n2\nid\n0\n\n")))

    #expect(failure(HTTPRequest(url: server.url()))?.message.contains("not offered") == true)
  }

  @Test func `a change to another protocol is no answer`() {
    let server = ScriptedServer(
      .sendAndClose(Data(lines: "HTTP/1.1 101 Switching Protocols\nUpgrade: other\n\nbytes")))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(failure?.message.contains("with another protocol") == true)
    #expect(failure?.isTransient == false)
  }

  @Test func `a reset connection may be tried again`() {
    let server = ScriptedServer(
      .sendAndReset(Data(lines: "HTTP/1.1 200 OK\nContent-Length: 2000\n\nhello")))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(failure?.code == .network)
    #expect(failure?.isTransient == true)
  }

  @Test func `a connection closed without an answer may be tried again`() {
    let server = ScriptedServer(.sendAndClose(Data()))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(failure?.code == .network)
    #expect(failure?.isTransient == true)
    #expect(failure?.message.contains("broke the connection before the answer to \(server.url())") == true)
  }

  @Test func `a server that never answers is a timeout`() {
    let server = ScriptedServer(.sendAndHang(Data()))

    let failure = failure(HTTPRequest(url: server.url(), timeout: .milliseconds(50)))

    #expect(
      failure == HostFailure(.timeout, "no answer from \(server.url()) within 0.05 s", isTransient: true))
  }

  @Test func `a body that stops coming is a timeout that says how much came`() {
    let server = ScriptedServer(
      .sendAndHang(Data(lines: "HTTP/1.1 200 OK\nContent-Length: 2000\n\nhello")))

    let failure = failure(HTTPRequest(url: server.url(), timeout: .milliseconds(250)))

    #expect(failure?.code == .timeout)
    #expect(
      failure?.message
        == "the answer from \(server.url()) was not complete within 0.25 s (5 of 2,000 bytes)")
  }

  @Test(arguments: [
    "X: " + String(repeating: "a", count: 400_000),
    (0..<400).map { "X\($0): " + String(repeating: "a", count: 1000) }.joined(separator: "\n"),
  ])
  func `headers that are too large are told as that`(headers: String) {
    let server = ScriptedServer(
      .sendAndHang(Data(lines: "HTTP/1.1 200 OK\n\(headers)\nContent-Length: 2\n\n{}")))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(
      failure
        == HostFailure(.tooLarge, "the headers of the answer from \(server.url()) are over 262,144 bytes"))
  }

  @Test func `a body announced as too large is refused before it comes`() {
    let server = ScriptedServer(.sendAndHang(Data(lines: "HTTP/1.1 200 OK\nContent-Length: 1001\n\n")))

    let failure = failure(HTTPRequest(url: server.url(), maxBody: 1000))

    #expect(
      failure == HostFailure(.tooLarge, "the answer from \(server.url()) is over the limit of 1,000 bytes"))
  }

  @Test func `a body that was not announced is cut off at the limit`() {
    let chunks = String(repeating: "10\r\n0123456789abcdef\r\n", count: 100)
    let server = ScriptedServer(
      .sendAndHang(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)".utf8)))

    let failure = failure(HTTPRequest(url: server.url(), maxBody: 1000))

    #expect(failure?.code == .tooLarge)
  }

  @Test func `a small body that decompresses to a large one is cut off at the limit`() throws {
    let packed = try #require(Data(base64Encoded: HTTPFailureTests.hundredThousandZeros))
    let server = ScriptedServer(
      .send(Data(headers: ["Content-Encoding: gzip"], body: packed)),
      .send(Data(headers: ["Content-Encoding: gzip"], body: packed)))

    let tooLarge = failure(HTTPRequest(url: server.url(), maxBody: 99_999))
    let fits = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url(), maxBody: 100_000)))

    #expect(tooLarge?.code == .tooLarge)
    #expect(fits.response?.body.count == 100_000)
  }

  @Test(arguments: [UInt32(0), 1, 99_999, 100_001, .max])
  func `a compressed body that lies about its length is a broken answer, and no larger than is allowed`(
    told: UInt32
  )
    throws
  {
    var packed = try #require(Data(base64Encoded: HTTPFailureTests.hundredThousandZeros))
    packed.replaceSubrange(
      packed.count - 4..<packed.count, with: withUnsafeBytes(of: told.littleEndian) { Data($0) })
    let answer = Data(headers: ["Content-Encoding: gzip"], body: packed)
    let server = ScriptedServer(.send(answer), .send(answer))

    let tooLarge = failure(HTTPRequest(url: server.url(), maxBody: 99_998))
    let broken = failure(HTTPRequest(url: server.url()))

    #expect(tooLarge?.code == .tooLarge)
    #expect(broken?.message.contains("does not decompress") == true)
  }

  @Test(arguments: [
    ("", 100_000), ("zeros", 100_000), ("member", 200_000), ("junk", nil), ("broken", nil), ("half", nil),
  ])
  func `behind a member comes another one, or zeros that fill up`(what: String, count: Int?) throws {
    let member = try #require(Data(base64Encoded: HTTPFailureTests.hundredThousandZeros))
    let rest =
      switch what {
      case "zeros": Data(count: 100)
      case "member": member
      case "junk": Data("junk".utf8)
      case "broken": Data([0x1e]) + member.dropFirst()
      case "half": member.prefix(member.count / 2)
      default: Data()
      }
    let server = ScriptedServer(.send(Data(headers: ["Content-Encoding: gzip"], body: member + rest)))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response?.body.count == count)
    if count == nil, case .failed(let failure) = reply {
      #expect(failure.message.contains("does not decompress"), "\(failure.message)")
    }
  }

  @Test(arguments: [
    ("GET", "200 OK", "Content-Encoding: gzip\nTransfer-Encoding: chunked\n\n0\n\n", false),
    ("GET", "200 OK", "Content-Encoding: deflate\n\n", false),
    ("GET", "200 OK", "Content-Encoding: br\n\n", false),
    ("GET", "200 OK", "Content-Encoding: gzip\nContent-Length: 0\n\n", true),
    ("GET", "200 OK", "Transfer-Encoding: chunked\n\n0\n\n", true),
    ("GET", "200 OK", "Content-Encoding: identity\n\n", true),
    ("HEAD", "200 OK", "Content-Encoding: gzip\nTransfer-Encoding: chunked\n\n", true),
    ("GET", "204 No Content", "Content-Encoding: gzip\n\n", true),
    ("GET", "304 Not Modified", "Content-Encoding: gzip\n\n", true),
    ("GET", "302 Found", "Content-Encoding: gzip\n\n", true),
  ])
  func `no bytes are no compressed body, unless there is to be none`(
    method: String, status: String, rest: String, isAnswer: Bool
  ) {
    let server = ScriptedServer(.sendAndClose(Data(lines: "HTTP/1.1 \(status)\n\(rest)")))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(method: method, url: server.url())))

    #expect((reply.response != nil) == isAnswer, "\(reply)")
    if !isAnswer { #expect(reply.failure?.message.contains("does not decompress") == true) }
  }

  @Test func `headers without end are cut off`() {
    let line = "X-Filler: " + String(repeating: "x", count: 1000) + "\r\n"
    let server = ScriptedServer(
      .sendAndHang(Data(("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 400)).utf8)))

    #expect(failure(HTTPRequest(url: server.url()))?.code == .tooLarge)
  }

  @Test func `a body that does not decompress is a broken answer`() {
    let server = ScriptedServer(.answer(headers: "Content-Encoding: gzip", body: "not packed at all"))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(failure?.code == .network)
    #expect(failure?.message.hasPrefix("the answer from \(server.url()) does not decompress") == true)
  }

  @Test func `what does not speak HTTP is not tried again`() {
    let server = ScriptedServer(.sendAndClose(Data(lines: "SSH-2.0-OpenSSH_9.2\n")))

    let failure = failure(HTTPRequest(url: server.url()))

    #expect(failure?.code == .network)
    #expect(failure?.isTransient == false)
    #expect(failure?.message.hasPrefix("127.0.0.1:\(server.port) does not answer with HTTP") == true)
  }

  @Test func `what does not speak TLS is not tried again`() {
    let server = ScriptedServer(.answer())

    let failure = failure(HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))

    #expect(failure?.code == .network)
    #expect(failure?.isTransient == false)
    #expect(failure?.message.hasPrefix("no encrypted connection to 127.0.0.1:\(server.port)") == true)
  }

  @Test func `messages never show secrets`() {
    let port = ScriptedServer.unusedPort()
    let urls = [
      "http://ann:hunter2@127.0.0.1:\(port)/?page=3&api_key=hunter2&access_token=hunter2",
      "http://ann:hunter2@ex ample.com/", "http://ann:hunter2@/", "http://ann:hunt/hunter2@host:port/",
      "ftp://ann:hunter2@host/",
    ]

    for url in urls {
      let failure = failure(HTTPRequest(url: url))

      #expect(failure != nil)
      #expect(failure?.message.contains("hunt") == false, "\(failure?.message ?? "")")
    }
  }

  @Test(arguments: [
    HTTPRequest(method: "GET /x HTTP/1.1\r\nA: b", url: "http://127.0.0.1:9/"),
    HTTPRequest(method: "", url: "http://127.0.0.1:9/"),
    HTTPRequest(method: "CONNECT", url: "http://127.0.0.1:9/"),
    HTTPRequest(url: "http://127.0.0.1:9/", headers: [HTTPHeader("A", "b\r\nC: d")]),
    HTTPRequest(url: "http://127.0.0.1:9/", headers: [HTTPHeader("A", "b\0")]),
    HTTPRequest(url: "http://127.0.0.1:9/", headers: [HTTPHeader("A:b", "c")]),
    HTTPRequest(url: "http://127.0.0.1:9/", headers: [HTTPHeader("", "c")]),
    HTTPRequest(url: "http://127.0.0.1:9/", headers: [HTTPHeader("host", "intern.example")]),
    HTTPRequest(url: "http://127.0.0.1:9/", headers: [HTTPHeader("Content-Length", "3")]),
    HTTPRequest(url: "http://127.0.0.1:9/", headers: [HTTPHeader("Transfer-Encoding", "chunked")]),
  ])
  func `a request that would say something else on the wire is not sent`(request: HTTPRequest) {
    #expect(failure(request)?.code == .invalid)
  }

  @Test func `a denied request is not sent and names the option that allows it`() throws {
    let server = ScriptedServer(.answer())
    let permissions = Permissions(net: Access(.only([try NetPattern("127.0.0.1:1")])))
    let loop = LiveLoop(world: World(permissions: permissions, target: Nowhere()))

    let failure = loop.perform(.http(HTTPRequest(method: "POST", url: server.url()))).failure

    #expect(
      failure
        == HostFailure(
          .denied, "http.post may not reach 127.0.0.1:\(server.port): it was not granted",
          needs: "--allow-net=127.0.0.1:\(server.port)"))
    #expect(server.connections == 0)
  }

  private static let hundredThousandZeros =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"

  private func failure(_ request: HTTPRequest) -> HostFailure? {
    LiveLoop.permissive().perform(.http(request)).failure
  }
}
