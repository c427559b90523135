import Items
import Paging

extension HTTPRequest {
  /// Servers take some hundred.
  private static let mostHeaders = 1000

  /// Why the request can't be sent, or nil: it would say something else on the wire than it says here.
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

  /// Never zero, which would stand for no limit.
  var timeoutMilliseconds: Int {
    let nanoseconds = min(max(timeout, .zero), .seconds(1_000_000)).nanoseconds
    return Int(max((nanoseconds + 999_999) / 1_000_000, 1))
  }

  /// The body; methods that are expected to have one get an empty one, so that its length is announced.
  var bodyToSend: Bytes? { body ?? (["POST", "PUT", "PATCH"].contains(method) ? .empty : nil) }

  /// The header lines, and those that keep libcurl from adding its own.
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
  /// Whether it may stand in the name of a method or header (RFC 9110, `tchar`).
  var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
