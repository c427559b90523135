import Foundation
import Hosting
import Items
import Paging
import Testing

@Suite struct HTTPExchangeTests {
  @Test func `an answer has a status, headers in their order, and a body`() throws {
    let server = ScriptedServer(.answer(headers: "X-One: 1", "x-one:  2 ", body: "hello"))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url("/a?b=c"))))

    let response = try #require(reply.response)
    #expect(response.status == 200)
    #expect(
      response.headers == [
        HTTPHeader("X-One", "1"), HTTPHeader("x-one", "2"), HTTPHeader("Content-Length", "5"),
      ])
    #expect(response.body.string == "hello")
    #expect(response.url == server.url("/a?b=c"))
    #expect(response.redirectURL == nil)
    #expect(server.requests[0].hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
  }

  @Test(arguments: [0, 1, 5, 19_515, 300_000, 2_000_000])
  func `zero bytes for a parser follow every body`(count: Int) throws {
    let text = Data(repeating: 0x78, count: count)
    let chunked =
      count == 0
      ? "0\r\n\r\n"
      : String(count, radix: 16) + "\r\n" + String(decoding: text, as: UTF8.self) + "\r\n0\r\n\r\n"
    let server = ScriptedServer(
      .send(Data(body: text)),
      .send(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunked)".utf8)))

    let replies = LiveLoop.permissive().perform(
      [HTTPRequest(url: server.url()), HTTPRequest(url: server.url())].map { .http($0) })

    for reply in replies {
      let body = try #require(reply.response).body
      #expect(body.count == count)
      #expect(body.padding >= Bytes.wantedPadding)
      body.withUnsafeBytes { bytes in
        #expect(bytes.allSatisfy { $0 == 0x78 })
        let padding = UnsafeRawBufferPointer(
          start: bytes.baseAddress! + bytes.count, count: Bytes.wantedPadding)
        #expect(padding.allSatisfy { $0 == 0 })
      }
    }
  }

  @Test func `requests one after the other share a connection`() {
    let server = ScriptedServer(.answer(body: "a"), .answer(body: "b"), .answer(body: "c"))

    let replies = LiveLoop.permissive().perform(
      ["/a", "/b", "/c"].map { .http(HTTPRequest(url: server.url($0))) })

    #expect(replies.map { $0.response?.body.string } == ["a", "b", "c"])
    #expect(server.connections == 1)
  }

  @Test(arguments: [
    Data(body: Data("late".utf8)), Data(lines: "HTTP/1.1 204 No Content\n\n"), Data("a body of a HEAD".utf8),
  ])
  func `what comes behind an answer is not taken for the next one`(stray: Data) {
    let server = ScriptedServer(.answer(body: "a"), .answer(body: "b"), .answer(body: "c"))
    let loop = LiveLoop.permissive()
    func body(_ path: String) -> String? {
      loop.perform(.http(HTTPRequest(url: server.url(path)))).response?.body.string
    }

    let first = body("/a")
    server.say(stray)
    let others = [body("/b"), body("/c")]

    #expect(first == "a")
    #expect(others == ["b", "c"])
    #expect(server.connections == 2)
    #expect(server.requests.count == 3)
  }

  @Test func `a header that is folded is one line`() throws {
    let server = ScriptedServer(
      .send(
        Data("HTTP/1.1 200 OK\r\nLink: <a>;\r\n \t rel=\"next\" \r\n\tx: y\r\nContent-Length: 0\r\n\r\n".utf8)
      ))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(
      try #require(reply.response).headers == [
        HTTPHeader("Link", "<a>; rel=\"next\" x: y"), HTTPHeader("Content-Length", "0"),
      ])
  }

  @Test func `an answer that says two lengths of its body is none`() throws {
    let server = ScriptedServer(
      .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 2\r\n\r\nabcd".utf8)),
      .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd".utf8)),
      .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 2, 4\r\n\r\nabcd".utf8)),
      .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\n\r\nabcd".utf8)))
    let request = HostCall.http(HTTPRequest(url: server.url()))

    for _ in 0..<2 {
      #expect(LiveLoop.permissive().perform(request).failure?.message.contains("two lengths") == true)
      #expect(LiveLoop.permissive().perform(request).response?.body.string == "abcd")
    }
  }

  @Test(arguments: ["0x4", "+4", "4 bytes", "-1"])
  func `a length of a body that is no number is none`(length: String) throws {
    let server = ScriptedServer(.send(Data("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabcd".utf8)))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response == nil)
  }

  @Test func `bytes of a header that are no UTF-8 are ISO 8859-1, so that no two are one`() {
    for (bytes, text) in [([0xE9], "é"), ([0xE8], "è"), ([0xC3, 0xA9], "é"), ([0xC3, 0xA9, 0xFF], "Ã©ÿ")] {
      let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Name: ".utf8) + Data(bytes.map { UInt8($0) })
      let server = ScriptedServer(.send(head + Data("\r\n\r\n".utf8)))

      let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

      #expect(reply.response?.headers["x-name"] == text)
    }
  }

  @Test func `headers are sent as given, and the user agent when none is given`() {
    let server = ScriptedServer(.answer(), .answer())
    let loop = LiveLoop(
      world: World(permissions: .all, target: Nowhere(), userAgent: "lookahead/1.2"))

    _ = loop.perform([
      .http(HTTPRequest(url: server.url(), headers: [HTTPHeader("X-Empty", ""), HTTPHeader("A", "b: c")])),
      .http(HTTPRequest(url: server.url(), headers: [HTTPHeader("user-agent", "mine")])),
    ])

    let lines = server.requests.map { $0.split(separator: "\r\n") }
    #expect(lines[0].contains("User-Agent: lookahead/1.2"))
    #expect(lines[0].contains("A: b: c"))
    #expect(lines[0].contains("X-Empty:"))
    #expect(lines[1].contains("user-agent: mine"))
    #expect(!lines[1].contains { $0.hasPrefix("User-Agent:") })
    #expect(!lines.joined().contains { $0.hasPrefix("Cookie") })
  }

  @Test func `a body is sent with its length and no more headers than given`() {
    let server = ScriptedServer(.answer(), .answer(), .answer())

    _ = LiveLoop.permissive().perform([
      .http(HTTPRequest(method: "POST", url: server.url(), body: Bytes("{}"))),
      .http(HTTPRequest(method: "PUT", url: server.url())),
      .http(HTTPRequest(method: "DELETE", url: server.url())),
    ])

    let requests = server.requests
    #expect(requests[0].hasPrefix("POST / "))
    #expect(requests[0].hasSuffix("\r\n\r\n{}"))
    #expect(requests[0].contains("Content-Length: 2\r\n"))
    #expect(!requests[0].contains("Content-Type"))
    #expect(requests[1].contains("Content-Length: 0\r\n"))
    #expect(requests[2].hasPrefix("DELETE / "))
    #expect(!requests[2].contains("Content-Length"))
  }

  @Test func `a compressed body is decompressed`() throws {
    let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA6tWyixJzS1WsopWSq/KLFCKrQUAvXX8OBIAAAA="))
    let server = ScriptedServer(.send(Data(headers: ["Content-Encoding: gzip"], body: packed)))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response?.body.string == #"{"items":["gzip"]}"#)
    #expect(server.requests[0].contains("Accept-Encoding: "))
  }

  @Test(arguments: [
    // Two members, and one that is followed by zeros.
    (
      "H4sIAAAAAAACA6tWyixJzS1WsopWys9LVYqtBQBBusnkEQAAAB+LCAAAAAAAAgNTUFAAAJib5mkDAAAA",
      "{\"items\":[\"one\"]}   "
    ), ("H4sIAAAAAAACA6tWyixJzS1WsopWys9LVYqtBQBBusnkEQAAAAAAAAAAAAAAAA==", "{\"items\":[\"one\"]}"),
  ])
  func `a compressed body that is more than it says is taken to its end`(text: String, body: String) throws {
    let packed = try #require(Data(base64Encoded: text))
    let server = ScriptedServer(.send(Data(headers: ["Content-Encoding: gzip"], body: packed)))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response?.body.string == body)
  }

  @Test(arguments: [1, 2, 1000])
  func `a deflated body without its wrapper is decompressed, in whatever pieces it comes`(size: Int) throws {
    let packed = try #require(Data(base64Encoded: "q1bKLEnNLVayilZKSU3LSSxJVYqtBQA="))
    var bytes = Data(lines: "HTTP/1.1 200 OK\nContent-Encoding: deflate\nTransfer-Encoding: chunked\n\n")
    for start in stride(from: 0, to: packed.count, by: size) {
      let piece = packed[start..<min(start + size, packed.count)]
      bytes += Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
    }
    let server = ScriptedServer(.send(bytes + Data("0\r\n\r\n".utf8)))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response?.body.string == #"{"items":["deflate"]}"#)
  }

  @Test func `a body whose last bytes fill the room is taken to its end`() throws {
    // 32,769 zeros, deflated without a wrapper: all has gone in before the last one comes out.
    let text = "7cGBAAAAAIAgpf3pFqkKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGg="
    let packed = try #require(Data(base64Encoded: text))
    let server = ScriptedServer(.send(Data(headers: ["Content-Encoding: deflate"], body: packed)))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response?.body.string == String(repeating: "0", count: 32_769))
  }

  @Test(arguments: [
    "/next?page=2": "http://127.0.0.1:PORT/next?page=2",
    "next?page=2": "http://127.0.0.1:PORT/list/next?page=2",
    "//other.example/x": "http://other.example/x",
    "https://other.example/x": "https://other.example/x",
  ])
  func `a redirect is reported as an absolute URL and not followed`(location: String, target: String) {
    let server = ScriptedServer(.answer("302 Found", headers: "Location: \(location)"))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url("/list/items"))))

    #expect(reply.response?.status == 302)
    #expect(
      reply.response?.redirectURL == target.replacingOccurrences(of: "PORT", with: String(server.port)))
    #expect(server.requests.count == 1)
  }

  @Test func `an interim answer leaves no headers`() throws {
    let server = ScriptedServer(
      .send(
        Data(lines: "HTTP/1.1 103 Early Hints\nLink: </a>\n\nHTTP/1.1 200 OK\nContent-Length: 2\n\nok")))

    let response = try #require(
      LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url()))).response)

    #expect(response.status == 200)
    #expect(response.headers == [HTTPHeader("Content-Length", "2")])
    #expect(response.body.string == "ok")
  }

  @Test func `HEAD takes the length of a large body and no body`() throws {
    let server = ScriptedServer(.send(Data(lines: "HTTP/1.1 200 OK\nContent-Length: 9999999999\n\n")))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(method: "HEAD", url: server.url())))

    let response = try #require(reply.response)
    #expect(response.headers["content-length"] == "9999999999")
    #expect(response.body.count == 0)
  }

  @Test(arguments: [204, 304, 404, 429, 503])
  func `every status is an answer`(status: Int) {
    let server = ScriptedServer(.send(Data(lines: "HTTP/1.1 \(status) X\nContent-Length: 0\n\n")))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response?.status == status)
  }

  @Test func `user and password of the URL are sent as a header and not in the URL`() {
    let server = ScriptedServer(.answer())

    _ = LiveLoop.permissive().perform(
      .http(HTTPRequest(url: "http://ann:p%40ss@127.0.0.1:\(server.port)/")))

    let login = Data("ann:p@ss".utf8).base64EncodedString()
    #expect(server.requests[0].contains("Authorization: Basic \(login)\r\n"))
    #expect(server.requests[0].hasPrefix("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
  }

  @Test func `an answer may come byte by byte`() {
    let server = ScriptedServer(.drip(Data(headers: ["A: b"], body: Data("slow".utf8))))

    let reply = LiveLoop.permissive().perform(.http(HTTPRequest(url: server.url())))

    #expect(reply.response?.body.string == "slow")
    #expect(reply.response?.headers["a"] == "b")
  }

  /// libcurl would send again by itself what a connection that was used before has lost, uncounted.
  @Test(arguments: [
    ("POST", "pay", false), ("POST", "", true), ("PATCH", "pay", false), ("PUT", "pay", false),
    ("MERGE", nil, true), ("GET", nil, false), ("HEAD", nil, false),
  ])
  func `a request is sent once, also on a connection that was used before`(
    method: String, body: String?, isOnNew: Bool
  ) {
    let server = ScriptedServer(.answer(body: "a"), .sendAndClose(Data()), .answer(body: "b"))
    var request = HTTPRequest(url: server.url("/pay"))
    (request.method, request.body) = (method, body.map { Bytes($0) })

    let replies = LiveLoop.permissive().perform([.http(HTTPRequest(url: server.url("/a"))), .http(request)])

    #expect(server.requests.count { $0.hasPrefix("\(method) /pay") } == 1)
    #expect(server.connections == (isOnNew ? 2 : 1))
    #expect(replies[1].failure?.isTransient == true)
    #expect(replies[1].failure?.isUnsent == false)
    #expect(replies[1].failure?.isStale == !isOnNew)
  }

  /// A POST without a body makes a connection of its own, which is kept.
  @Test func `where a kept connection is lost, the others that were kept until then are not used again`() {
    let server = ScriptedServer(
      .answer(body: "a"), .answer(body: "b"), .sendAndClose(Data()), .answer(body: "c"), .answer(body: "d"))

    let replies = LiveLoop.permissive().perform(
      ["GET", "POST", "GET", "GET", "GET"].map { .http(HTTPRequest(method: $0, url: server.url())) })

    #expect(replies.map { $0.response?.body.string } == ["a", "b", nil, "c", "d"])
    #expect(replies[2].failure?.isStale == true)
    #expect(server.connections == 3)
  }

  @Test func `what its caller wants sent once is sent once, whatever its method`() {
    let server = ScriptedServer(.answer(body: "a"), .sendAndClose(Data()), .answer(body: "b"))
    var request = HTTPRequest(method: "DELETE", url: server.url("/x"))
    request.isRepeatable = false

    let replies = LiveLoop.permissive().perform([.http(HTTPRequest(url: server.url("/a"))), .http(request)])

    #expect(server.requests.count { $0.hasPrefix("DELETE") } == 1)
    #expect(replies[1].response == nil)
  }

  @Test func `what follows a deflated body is not left out`() throws {
    let piece = Data([0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62])
    let server = ScriptedServer(
      .send(Data(headers: ["Content-Encoding: deflate"], body: piece)),
      .send(Data(headers: ["Content-Encoding: deflate"], body: piece + piece)))
    let request = HostCall.http(HTTPRequest(url: server.url()))

    #expect(LiveLoop.permissive().perform(request).response?.body.string == "a")
    #expect(LiveLoop.permissive().perform(request).response == nil)
  }

  @Test func `a GET with a body is a GET`() {
    let server = ScriptedServer(.answer(body: "a"))
    var request = HTTPRequest(url: server.url("/search"))
    request.body = Bytes("{}")

    _ = LiveLoop.permissive().perform(.http(request))

    #expect(server.requests.first?.hasPrefix("GET /search HTTP/1.1") == true)
    #expect(server.requests.first?.contains("Content-Length: 2") == true)
  }
}
