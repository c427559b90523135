import Foundation
import Glibc
import Synchronization

/// An HTTP server on this machine that answers each request with the next answer of its script, byte by byte as written.
final class ScriptedServer: Sendable {
  enum Answer: Sendable {
    /// Sends the bytes and waits for the next request on the connection.
    case send(Data)
    /// Sends the bytes one at a time.
    case drip(Data)
    /// Sends the bytes and closes the connection.
    case sendAndClose(Data)
    /// Sends the bytes and breaks the connection.
    case sendAndReset(Data)
    /// Sends the bytes and nothing more until the client leaves.
    case sendAndHang(Data)
  }

  private struct State {
    var answers: [Answer]
    var requests: [String] = []
    var connections = 0
    var latest: Int32 = -1
  }

  let port: Int
  private let listener: Int32
  private let state: Log

  convenience init(_ answers: Answer...) { self.init(answers) }

  init(_ answers: [Answer]) {
    (listener, port) = ScriptedServer.listen()
    state = Log(answers)
    let (listener, state) = (listener, state)
    Thread.detachNewThread {
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        state.value.withLock {
          $0.connections += 1
          $0.latest = connection
        }
        Thread.detachNewThread { Connection(descriptor: connection, log: state).serve() }
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The URL of a path, as `/items`.
  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The requests so far, head and body.
  var requests: [String] { state.value.withLock { $0.requests } }

  /// How many connections were made.
  var connections: Int { state.value.withLock { $0.connections } }

  /// Sends bytes that nobody asked for, on the connection that was made last.
  func say(_ data: Data) {
    let latest = state.value.withLock { $0.latest }
    _ = data.withUnsafeBytes { Glibc.send(latest, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// A port at which nothing listens.
  static func unusedPort() -> Int {
    let (descriptor, port) = listen()
    close(descriptor)
    return port
  }

  private static func listen() -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        precondition(bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 64) == 0)
        getsockname(descriptor, address, &length)
      }
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private final class Log: Sendable {
    let value: Mutex<State>
    init(_ answers: [Answer]) { value = Mutex(State(answers: answers)) }
  }

  /// One client's connection, served on a thread of its own.
  private struct Connection {
    let descriptor: Int32
    let log: Log

    func serve() {
      defer { close(descriptor) }
      while let request = receive() {
        let answer = log.value.withLock { state -> Answer? in
          state.requests.append(request)
          return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        switch answer {
        case .send(let data): send(data)
        case .drip(let data): for byte in data { send(Data([byte])) }
        case .sendAndHang(let data):
          send(data)
          while !read().isEmpty {}
          return
        case .sendAndReset(let data):
          send(data)
          var option = linger(l_onoff: 1, l_linger: 0)
          setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
          return
        case .sendAndClose(let data):
          send(data)
          return
        case nil: return
        }
      }
    }

    /// The first byte of a client that wants to encrypt; it waits for an answer before it asks.
    private var tlsHandshake: UInt8 { 0x16 }

    /// The next request; nil when the client is gone.
    private func receive() -> String? {
      var data = Data()
      while true {
        let text = String(decoding: data, as: UTF8.self)
        if let end = text.range(of: "\r\n\r\n"), text[end.upperBound...].utf8.count >= length(text) {
          return text
        }
        let more = read()
        if more.isEmpty { return nil }
        data += more
        if data.first == tlsHandshake { return "" }
      }
    }

    private func length(_ request: String) -> Int {
      let line = request.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      return line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    private func read() -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
        count = max(recv(descriptor, buffer.baseAddress, buffer.count, 0), 0)
      }
    }

    private func send(_ data: Data) {
      var rest = data[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if sent <= 0 { return }
        rest = rest.dropFirst(sent)
      }
    }
  }
}

extension ScriptedServer.Answer {
  /// A whole answer with its length.
  static func answer(_ status: String = "200 OK", headers: String..., body: String = "") -> Self {
    .send(Data(status: status, headers: headers, body: Data(body.utf8)))
  }
}

extension Data {
  /// An answer with the length of its body.
  init(status: String = "200 OK", headers: [String] = [], body: Data) {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "", ""]
    self = Data(lines.joined(separator: "\r\n").utf8) + body
  }

  /// The text with lines ended as HTTP has them.
  init(lines text: String) { self = Data(text.replacingOccurrences(of: "\n", with: "\r\n").utf8) }
}
