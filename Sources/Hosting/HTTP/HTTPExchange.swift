import CCurl
import Glibc
import Items
import Paging

/// One request in flight, and how its outcome is reported.
struct Exchange {
  let transfer: OpaquePointer
  let outgoing: OutgoingRequest

  var request: HTTPRequest { outgoing.request }
  var address: HTTPAddress { outgoing.address }

  /// The response, or the failure; adopts the body of the result.
  func reply(_ result: ccurl_result) -> HostReply {
    let body = Bytes(adoptingBodyOf: result)
    guard result.outcome == .CCURL_DONE else { return .failed(failure(result)) }
    guard result.status != 101 else {
      return .failed(
        HostFailure(
          .network, "\(address.hostAndPort) answers \(address.readable) with another protocol than HTTP"))
    }
    let headers = [HTTPHeader](UnsafeRawBufferPointer(start: result.head, count: result.head_length))
    if let problem = headers.problemOfLength {
      return .failed(
        HostFailure(.network, "the answer from \(address.readable) says \(problem)", isTransient: true))
    }
    return .response(
      HTTPResponse(
        status: result.status, headers: headers, body: body, url: request.url,
        redirectURL: result.redirect_url.map { url in
          String(header: UnsafeRawBufferPointer(start: url, count: strlen(url))[...])
        },
        elapsed: .microseconds(result.elapsed_us)))
  }
}

extension Bytes {
  init(adoptingBodyOf result: ccurl_result) {
    guard let base = result.body else {
      self = .empty
      return
    }
    self.init(
      adopting: base, count: result.body_length, capacity: result.body_length + Int(CCURL_PADDING)
    ) { free($0) }
  }
}

extension [HTTPHeader] {
  /// Parses the header lines of one response, including the status line and the empty line.
  init(_ head: UnsafeRawBufferPointer) {
    self = []
    for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).dropFirst() {
      if line.first == 0x20 || line.first == 0x09 {
        // The value of the line before goes on (RFC 9112, 5.2).
        if let header = popLast() {
          append(HTTPHeader(header.name, header.value + " " + String(header: line.trimmed)))
        }
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        append(
          HTTPHeader(String(header: line[..<colon].trimmed), String(header: line[(colon + 1)...].trimmed)))
      }
    }
  }

  /// What is wrong with what is said of the length of the body, so that nobody knows where that ends (RFC 9112, 6.3): it is not the
  /// same each time, or no number.
  var problemOfLength: String? {
    var length: Substring?
    for header in self where header.name.isSame(ignoringCaseAs: "Content-Length") {
      for value in header.value.split(separator: ",", omittingEmptySubsequences: false) {
        let spaces = value.reversed().prefix { " \t".contains($0) }.count
        let value = value.dropLast(spaces).trimmingPrefix { " \t".contains($0) }
        if !value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) || value.isEmpty {
          return "a length of its body that is no number: \(header.value.escapingControls)"
        }
        if Int64(value) == nil { return "a length that no body has: \(value.prefix(40))" }
        if let length, length != value { return "two lengths of its body: \(length), \(value)" }
        length = value
      }
    }
    return nil
  }
}

extension String {
  /// What a header has: bytes that are no UTF-8 are ISO 8859-1, as they were before (RFC 9110, 5.5), so that no two are one.
  init(header bytes: Slice<UnsafeRawBufferPointer>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Without leading and trailing spaces and tabs.
  var trimmed: Self {
    let start = firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
    let end = lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}

extension Exchange {
  /// What went wrong, for a script to handle and a user to act on.
  func failure(_ result: ccurl_result) -> HostFailure {
    var failure = reasonOfFailure(result)
    failure.isUnsent = failure.isTransient && !result.is_connected
    failure.isStale = result.is_lost
    return failure
  }

  private func reasonOfFailure(_ result: ccurl_result) -> HostFailure {
    let url = address.readable
    let place = "\(address.host.inURL):\(address.port)"
    func network(_ message: String, isTransient: Bool = true) -> HostFailure {
      HostFailure(.network, message, isTransient: isTransient)
    }
    switch result.outcome {
    case .CCURL_TIMEOUT:
      return HostFailure(.timeout, timeoutMessage(result), isTransient: true)
    case .CCURL_NO_HOST:
      return network("could not find the host \(address.host.text)")
    case .CCURL_NO_PROXY:
      return network(
        "the proxy of \(outgoing.proxy?.variable ?? "the environment") can't be used: nobody has its name, or it is not written "
          + "as http://name:password@host:port with what is special in the password as %40")
    case .CCURL_PROXY_REFUSED:
      return network(
        "the proxy of \(outgoing.proxy?.variable ?? "the environment") makes no way to \(place): it answers with status "
          + "\(result.status)", isTransient: [429, 502, 503, 504].contains(result.status))
    case .CCURL_NO_CONNECTION:
      return network("could not connect to \(proxy(result) ?? place) (\(reason(result)))")
    case .CCURL_BROKEN:
      return network(
        "\(place) broke the connection before the answer to \(url) was complete (\(reason(result)))")
    case .CCURL_CUT:
      return network(cutMessage(result))
    case .CCURL_TOO_LARGE:
      return HostFailure(
        .tooLarge, "the answer from \(url) is over the limit of \(request.maxBody.grouped) bytes")
    case .CCURL_HEAD_TOO_LARGE:
      return HostFailure(
        .tooLarge, "the headers of the answer from \(url) are over \(Int(CCURL_MAX_HEAD).grouped) bytes")
    case .CCURL_NOT_TRUSTED:
      return network("the certificate of \(place) is not trusted: \(detail(result))", isTransient: false)
    case .CCURL_NO_CERTIFICATES:
      return network(
        "the trusted certificates can't be read: \(detail(result)) (see CURL_CA_BUNDLE and SSL_CERT_FILE)",
        isTransient: false)
    case .CCURL_TLS:
      return network("no encrypted connection to \(place): \(detail(result))", isTransient: false)
    case .CCURL_NOT_HTTP:
      return network("\(place) does not answer with HTTP: \(detail(result))", isTransient: false)
    case .CCURL_BAD_ENCODING:
      return network("the answer from \(url) does not decompress: \(detail(result))")
    case .CCURL_NO_MEMORY:
      return HostFailure(.io, "no memory for the answer from \(url)")
    case .CCURL_REFUSED:
      return HostFailure(request, at: String(cString: result.peer), deniedFor: address)
    case .CCURL_INVALID:
      return HostFailure(.invalid, "\(url) can't be asked for: \(detail(result))")
    case .CCURL_OTHER, .CCURL_DONE:
      return network("\(url) could not be asked for: \(detail(result))")
    }
  }

  private func timeoutMessage(_ result: ccurl_result) -> String {
    let url = address.readable
    if !result.is_connected {
      let limit = min(request.timeoutMilliseconds, 10_000).asSeconds
      return "no connection to \(address.host.inURL):\(address.port) within \(limit) s"
    }
    let limit = request.timeoutMilliseconds.asSeconds
    if result.head_length == 0 { return "no answer from \(url) within \(limit) s" }
    return "the answer from \(url) was not complete within \(limit) s (\(progress(result)))"
  }

  private func cutMessage(_ result: ccurl_result) -> String {
    "the answer from \(address.readable) ended after \(progress(result))"
  }

  private func progress(_ result: ccurl_result) -> String {
    let received = Int(result.received).grouped
    return result.expected < 0
      ? "\(received) bytes of an unknown number" : "\(received) of \(Int(result.expected).grouped) bytes"
  }

  /// The proxy that could not be reached, extracted from libcurl's message; nil if there is none.
  private func proxy(_ result: ccurl_result) -> String? {
    let words = detail(result).split(separator: " ")
    guard words.count > 6, words[..<4] == ["failed", "to", "connect", "to"], words[5] == "port" else {
      return nil
    }
    if words[4] == address.host.text && words[6] == "\(address.port)" { return nil }
    // A password that is not encoded may look like a part of the name.
    return "the proxy \(words[4].split(separator: "@").last ?? ""):\(words[6])"
  }

  /// The system's error for a failed connection, or libcurl's.
  private func reason(_ result: ccurl_result) -> String {
    guard result.os_error != 0 else { return detail(result) }
    return String(cString: strerror(result.os_error)).withSmallInitial
  }

  /// libcurl's words, which may have the proxy as it was given, but not its password.
  private func detail(_ result: ccurl_result) -> String {
    var words = String(cString: result.detail)
    if let proxy = outgoing.proxy { words = words.replacing(proxy.url, with: proxy.variable) }
    return words.escapingControls.withSmallInitial
  }
}

extension HostFailure {
  /// The host turned out to have an address that is denied.
  init(_ request: HTTPRequest, at peer: String, deniedFor address: HTTPAddress) {
    let call = "http.\(request.method.lowercased().escapingControls)"
    self.init(
      .denied,
      "\(call) may not reach \(address.hostAndPort): it is at \(peer), which --deny-net forbids")
  }
}

extension String {
  /// As used within a sentence: `Connection refused` becomes `connection refused`, `SSL` stays.
  var withSmallInitial: String {
    guard let first, dropFirst().first?.isLowercase ?? true else { return self }
    return first.lowercased() + dropFirst()
  }
}

extension Int {
  /// With thousands separators.
  var grouped: String {
    let digits = Array(String(magnitude).utf8)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
      text.unicodeScalars.append(UnicodeScalar(digit))
    }
    return text
  }

  /// Milliseconds as seconds, without trailing zeros: `30`, `0.05`.
  var asSeconds: String { self % 1000 == 0 ? String(self / 1000) : String(Double(self) / 1000) }
}

extension HTTPRequest {
  /// Servers accept some hundred.
  private static let mostHeaders = 1000

  /// Why the request can't be sent as given, or nil.
  var problem: String? {
    if !method.utf8.allSatisfy(\.isTokenByte) || method.isEmpty || method == "CONNECT" {
      return "\"\(method.escapingControls)\" is not a method that can be sent"
    }
    if headers.count > Self.mostHeaders {
      return
        "\(headers.count.grouped) headers are more than a server takes (\(Self.mostHeaders.grouped) can be sent)"
    }
    for header in headers {
      if header.name.isEmpty || !header.name.utf8.allSatisfy(\.isTokenByte) {
        return "\"\(header.name.escapingControls)\" is not a name for a header"
      }
      if header.value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) {
        return "the header \(header.name) contains a line break or another control character"
      }
      if ["host", "content-length", "transfer-encoding"].contains(header.name.lowercased()) {
        return "the header \(header.name) can't be set: it follows from the URL and the body"
      }
    }
    return nil
  }

  /// Never zero, which would mean no limit.
  var timeoutMilliseconds: Int {
    let nanoseconds = min(max(timeout, .zero), .seconds(1_000_000)).nanoseconds
    return Int(max((nanoseconds + 999_999) / 1_000_000, 1))
  }

  /// The body; methods that usually have one get an empty one, so that its length is sent.
  var bodyToSend: Bytes? { body ?? (["POST", "PUT", "PATCH"].contains(method) ? .empty : nil) }

  /// The header lines, including those that keep libcurl from adding its own.
  func headerLines(userAgent: String) -> [String] {
    var lines = headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    if headers["User-Agent"] == nil { lines.append("User-Agent: \(userAgent)") }
    if bodyToSend != nil {
      if headers["Content-Type"] == nil { lines.append("Content-Type:") }
      if headers["Expect"] == nil { lines.append("Expect:") }
    }
    return lines
  }
}

extension UInt8 {
  /// Whether it is allowed in a method or header name (RFC 9110, `tchar`).
  var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
