import Items
import Lua

/// The components of a URL (RFC 3986); missing ones are nil.
struct URLText: Equatable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  init(_ text: String) {
    // An accent behind a mark does not make another mark of it.
    var rest = text.unicodeScalars[...]
    if let mark = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), Self.isScheme(Substring(rest[..<colon])) {
      scheme = String(rest[..<colon]).lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.starts(with: "//".unicodeScalars) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// The URL as text.
  var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }

  /// Resolves a reference against this URL (RFC 3986 5.2).
  func joined(_ reference: String) -> URLText {
    var target = URLText(reference)
    guard target.scheme == nil else { return target }
    target.scheme = scheme
    guard target.authority == nil else { return target }
    target.authority = authority
    if target.path.isEmpty {
      target.path = path
      target.query = target.query ?? query
    } else if !target.path.hasPrefix("/") {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? (authority != nil ? "/" : "")
      target.path = folder + target.path
    }
    target.path = Self.withoutDots(target.path)
    return target
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".")
    }
  }

  /// Removes `.` and `..` (RFC 3986 5.2.4).
  private static func withoutDots(_ path: String) -> String {
    guard path.contains(".") else { return path }
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for (position, part) in parts.enumerated() {
      let isLast = position == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > 1 || kept.first.map({ !$0.isEmpty }) == true { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return kept.joined(separator: "/")
  }
}

/// Percent-encodes everything except letters, digits and `-._~`; nil where there is nothing else.
func percentEncoded(_ text: UnsafeRawBufferPointer) -> String? {
  guard !text.allSatisfy(isUnreserved) else { return nil }
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  encoded.reserveCapacity(text.count * 3)
  for byte in text {
    if isUnreserved(byte) {
      encoded.append(byte)
    } else {
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
    UInt8(ascii: "~"):
    true
  default: false
  }
}

/// Undoes percent-encoding; `+` is a space. Invalid encodings are kept.
func percentDecoded(_ text: String) -> [UInt8] {
  let bytes = Array(text.utf8)
  var decoded: [UInt8] = []
  var position = 0
  while position < bytes.count {
    let byte = bytes[position]
    if byte == UInt8(ascii: "%"), let value = UInt8(hexadecimal: bytes[(position + 1)...].prefix(2)) {
      decoded.append(value)
      position += 3
      continue
    }
    decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    position += 1
  }
  return decoded
}

extension URLText {
  /// The components by the names scripts see.
  var parts: [(String, LuaValue)] {
    func value(_ text: String?) -> LuaValue { text.map { .string($0) } ?? .nil }
    let hostAndPort = authority?.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init)
    let colon = hostAndPort?.lastIndex(of: ":").flatMap { colon in
      hostAndPort.map { $0[$0.index(after: colon)...].allSatisfy(\.isNumber) ? colon : nil } ?? nil
    }
    let host = colon.flatMap { colon in hostAndPort.map { String($0[..<colon]) } } ?? hostAndPort
    let port = colon.flatMap { colon in hostAndPort.flatMap { Int64($0[$0.index(after: colon)...]) } }
    return [
      ("scheme", value(scheme)), ("host", value(host)), ("port", port.map { .integer($0) } ?? .nil),
      ("path", .string(path)), ("query", value(query)), ("fragment", value(fragment)),
    ]
  }
}
