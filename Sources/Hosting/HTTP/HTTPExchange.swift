import CCurl
import Glibc
import Items
import Paging

/// One request under way, and how its end is told.
struct Exchange {
  let transfer: OpaquePointer
  let request: HTTPRequest
  let address: HTTPAddress

  /// The answer, or the failure; takes over the body of the result.
  func reply(_ result: ccurl_result) -> HostReply {
    let body = Bytes(adoptingBodyOf: result)
    guard result.outcome == .CCURL_DONE else { return .failed(failure(result)) }
    return .response(
      HTTPResponse(
        status: result.status,
        headers: [HTTPHeader](UnsafeRawBufferPointer(start: result.head, count: result.head_length)),
        body: body, url: request.url,
        redirectURL: result.redirect_url.map { String(cString: $0) },
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
  /// Reads the lines of one answer, status line and empty line included.
  init(_ head: UnsafeRawBufferPointer) {
    self = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      return HTTPHeader(
        String(decoding: line[..<colon].trimmed, as: UTF8.self),
        String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self))
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Without blanks and tabs at both ends.
  var trimmed: Self {
    let start = firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
    let end = lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}
