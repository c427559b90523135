import Foundation
import Glibc
import Serving
import Testing

/// The server of a page over a real socket; each test has a process and a port of its own.
@Suite(.serialized) struct PageServerTests {
  private func server(_ address: String = "127.0.0.1:0") throws -> PageServer {
    let address = try #require(ListenAddress(address))
    return try PageServer(PageServer.Settings(address: address) { "<p nonce=\($0)>page</p>" })
  }

  /// What a client gets that sends this and reads to the end, or so many bytes.
  private func exchange(_ server: PageServer, _ text: String, atLeast: Int = .max) throws -> String {
    let socket = try connect(server)
    defer { close(socket) }
    _ = text.withCString { write(socket, $0, strlen($0)) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < atLeast {
      let count = read(socket, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func connect(_ server: PageServer) throws -> Int32 {
    let port = try #require(UInt16(port(of: server)))
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    return descriptor
  }

  private func port(of server: PageServer) -> String {
    let place = server.url.dropFirst("http://".count).prefix { $0 != "/" }
    return String(place[place.index(after: place.lastIndex(of: ":")!)...])
  }

  private func get(_ server: PageServer, _ path: String, host: String? = nil, _ more: String = "") throws
    -> String
  {
    let host = host ?? "127.0.0.1:\(port(of: server))"
    return try exchange(server, "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(more)\r\n")
  }

  @Test func `the page comes with a policy that lets only its own script run`() throws {
    let server = try server()

    let (one, other) = (try get(server, "/"), try get(server, "/"))

    #expect(one.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(one.contains("content-security-policy: default-src 'none'; script-src 'nonce-"))
    #expect(one.contains("x-content-type-options: nosniff"))
    let nonce = try #require(one.firstMatch(of: /script-src 'nonce-([0-9a-z]+)'/)).output.1
    #expect(one.hasSuffix("<p nonce=\(nonce)>page</p>"))
    #expect(!other.contains(nonce))
  }

  @Test func `the state is the last one that was told, and metrics are text`() throws {
    let server = try server()
    let before = try get(server, "/ready")

    server.publish(state: #"{"a":1}"#, metrics: "a 1\n")
    server.publish(state: #"{"a":2}"#, metrics: "a 2\n")
    var state = ""
    for _ in 0..<200 where !state.hasSuffix(#"{"a":2}"#) { state = try get(server, "/state.json") }

    #expect(before.hasPrefix("HTTP/1.1 503 "))
    #expect(state.hasSuffix(#"{"a":2}"#))
    #expect(try get(server, "/metrics").hasSuffix("a 2\n"))
    #expect(try get(server, "/ready").hasPrefix("HTTP/1.1 200 "))
  }

  @Test(arguments: ["evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", ""])
  func `a page of another site does not reach it by a name that points here`(host: String) throws {
    let server = try server()

    let answer = try get(server, "/state.json", host: host.replacing("PORT", with: port(of: server)))

    #expect(answer.hasPrefix("HTTP/1.1 421 "))
    #expect(try get(server, "/", host: "localhost:\(port(of: server))").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `beyond the loopback only who knows the token sees anything`() throws {
    let server = try server("0.0.0.0:0")
    let token = try #require(server.url.firstMatch(of: /\?token=([0-9a-f]{32})$/)).output.1

    for path in [
      "/", "/?token=", "/?token=\(token.dropLast())", "/?x=\(token)", "/metrics", "/events", "/ready",
    ] {
      #expect(try get(server, path, host: "any").hasPrefix("HTTP/1.1 403 "), "\(path)")
    }
    #expect(try get(server, "/?a=b&token=\(token)", host: "any").hasPrefix("HTTP/1.1 200 "))
    #expect(
      try get(server, "/", host: "any", "Authorization: Bearer \(token)\r\n").hasPrefix("HTTP/1.1 200 "))
  }

  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: H\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", "405"),
    ("GET /etc/passwd HTTP/1.1\r\nHost: H\r\nConnection: close\r\n\r\n", "404"),
    ("GET / HTTP/1.1\r\nHost: H\r\nHost: H\r\nConnection: close\r\n\r\n", "421"),
    ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "421"), ("nonsense\r\n\r\n", "400"),
  ])
  func `what is no question of a browser is refused`(request: String, status: String) throws {
    let server = try server()

    let answer = try exchange(
      server, request.replacing("Host: H", with: "Host: 127.0.0.1:\(port(of: server))"))

    #expect(answer.hasPrefix("HTTP/1.1 \(status) ") || answer.isEmpty && status == "400")
  }

  @Test func `a stream of events has each state, and the end`() throws {
    let server = try server()
    server.publish(state: #"{"a":1}"#, metrics: "")
    let socket = try connect(server)
    defer { close(socket) }
    let request = "GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port(of: server))\r\n\r\n"
    _ = request.withCString { write(socket, $0, strlen($0)) }
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func read(until part: String) {
      while !text.contains(part) {
        let count = Glibc.read(socket, &buffer, buffer.count)
        guard count > 0 else { return }
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }

    read(until: #"data: {"a":1}"#)
    server.publish(state: #"{"a":2}"#, metrics: "")
    read(until: #"data: {"a":2}"#)
    server.finish(state: #"{"a":3}"#, metrics: "")
    read(until: "event: end")

    #expect(text.contains("content-type: text/event-stream"))
    #expect(text.contains("event: state\ndata: {\"a\":3}\n\n"))
    #expect(text.contains("event: end\n"))
  }

  @Test func `a browser that never reads stops nobody`() throws {
    let server = try server()
    let deaf = try connect(server)
    defer { close(deaf) }
    let request = "GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port(of: server))\r\n\r\n"
    _ = request.withCString { write(deaf, $0, strlen($0)) }
    let large = #"{"a":""# + String(repeating: "x", count: 1_000_000) + #""}"#

    for _ in 0..<40 { server.publish(state: large, metrics: "") }
    var last = ""
    server.publish(state: #"{"a":"last"}"#, metrics: "")
    for _ in 0..<400 where !last.hasSuffix(#"{"a":"last"}"#) {
      server.publish(state: #"{"a":"last"}"#, metrics: "")
      last = try get(server, "/state.json")
    }

    #expect(last.hasSuffix(#"{"a":"last"}"#))
    server.finish(state: "{}", metrics: "")
  }

  @Test func `an address that is taken says so`() throws {
    let server = try server()
    let taken = "127.0.0.1:\(port(of: server))"

    let failure = #expect(throws: SideProcess.Failure.self) { try self.server(taken) }

    #expect(failure?.number == EADDRINUSE)
  }

  @Test func `no connection is left when the run has ended, and its port is free`() throws {
    let first = try server()
    let place = "127.0.0.1:\(port(of: first))"
    first.finish(state: "{}", metrics: "")

    let second = try server(place)

    #expect(second.url == first.url)
  }
}
