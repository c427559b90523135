import Glibc

/// A normalised host name or address: lower case, no trailing dot, addresses as the system writes them.
public struct HostName: Sendable, Hashable {
  /// Such as `api.example.com`, `127.0.0.1` or `::1`.
  public let text: String
  /// Whether it is an address, not a name.
  public let isAddress: Bool

  /// Parses the host of a URL, with IPv6 in brackets; nil if invalid.
  public init?(_ written: some StringProtocol) {
    var written = String(written)
    guard let host = written.withUTF8({ HostName($0[...]) }) else { return nil }
    self = host
  }

  private init?(_ written: Bytes) {
    if written.first == UInt8(ascii: "[") {
      guard written.last == UInt8(ascii: "]"),
        let address = HostName.version6(String(decoding: written.dropFirst().dropLast(), as: UTF8.self))
      else { return nil }
      self = HostName(text: address, isAddress: true)
      return
    }
    let isDotted = written.count > 1 && written.last == HostName.dot
    let labels = isDotted ? written.dropLast() : written
    guard written.count <= 254, let last = HostName.lastLabel(of: labels) else { return nil }
    let name = String(decoding: labels, as: UTF8.self).lowercased()
    guard HostName.isNumber(last) else {
      self = HostName(text: name, isAddress: false)
      return
    }
    guard let address = HostName.version4(name) else { return nil }
    self = HostName(text: address, isAddress: true)
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>
  private static let dot = UInt8(ascii: ".")

  /// As in a URL: IPv6 in brackets.
  public var inURL: String { text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]" : text }

  /// Whether it is the local machine: `localhost` (RFC 6761), `127.0.0.0/8`, `::1`, or the unspecified address, which
  /// reaches the same.
  var isOwnMachine: Bool {
    if !isAddress { return text == "localhost" || text.hasSuffix(".localhost") }
    return text.hasPrefix("127.") || text.hasPrefix("0.") || ["::1", "::"].contains(text)
  }

  /// The address in network order: four or sixteen bytes; empty for a name.
  var addressBytes: [UInt8] {
    guard isAddress else { return [] }
    var bytes = [UInt8](repeating: 0, count: 16)
    let isVersion6 = text.utf8.contains(UInt8(ascii: ":"))
    guard inet_pton(isVersion6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return [] }
    return isVersion6 ? bytes : Array(bytes[..<4])
  }

  /// IPv4 addresses embedded in an IPv6 one, for translators and tunnels: RFC 4291 (`::127.0.0.1`), 2765 and 6052
  /// (NAT64), 3056 (6to4) and 4380 (Teredo).
  var embedded: [HostName] {
    let bytes = addressBytes
    guard bytes.count == 16 else { return [] }
    var parts: [ArraySlice<UInt8>] = []
    let isEmpty = { (range: Range<Int>) in bytes[range].allSatisfy { $0 == 0 } }
    let isTranslated = isEmpty(0..<8) && bytes[8..<12].elementsEqual([0xFF, 0xFF, 0, 0])
    if isEmpty(0..<12) || isTranslated || bytes[..<4].elementsEqual([0, 0x64, 0xFF, 0x9B]) {
      parts.append(bytes[12...])
    }
    if bytes[..<2].elementsEqual([0x20, 0x02]) { parts.append(bytes[2..<6]) }
    if bytes[..<4].elementsEqual([0x20, 0x01, 0, 0]) { parts.append(bytes[12...].map { ~$0 }[...]) }
    return parts.map {
      HostName(text: $0.map { String($0) }.joined(separator: "."), isAddress: true)
    }
  }

  private init(text: String, isAddress: Bool) {
    self.text = text
    self.isAddress = isAddress
  }

  /// Nil unless all are labels.
  private static func lastLabel(of labels: Bytes) -> Bytes? {
    var rest = labels
    while true {
      let end = rest.firstIndex(of: dot) ?? rest.endIndex
      guard isLabel(rest[..<end]) else { return nil }
      if end == rest.endIndex { return rest }
      rest = rest[(end + 1)...]
    }
  }

  private static func isLabel(_ label: Bytes) -> Bool {
    (1...63).contains(label.count)
      && label.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// A numeric last label, as in `127.1` or `0x7f000001`, makes the whole an address.
  private static func isNumber(_ label: Bytes) -> Bool {
    let isDecimal = label.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isDecimal || label.starts(with: "0x".utf8) || label.starts(with: "0X".utf8)
  }

  private static func version4(_ name: String) -> String? {
    var address = in_addr()
    guard inet_aton(name, &address) != 0 else { return nil }
    return written(&address, AF_INET)
  }

  /// An IPv4-mapped IPv6 address reaches the same host, so it is written as IPv4.
  private static func version6(_ name: String) -> String? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, name, &address) == 1, let text = written(&address, AF_INET6) else { return nil }
    let mapped = "::ffff:"
    guard text.hasPrefix(mapped), text.contains(".") else { return text }
    return String(text.dropFirst(mapped.count))
  }

  private static func written(_ address: UnsafeRawPointer, _ family: Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      inet_ntop(family, address, buffer.baseAddress!, socklen_t(buffer.count)).map { String(cString: $0) }
    }
  }
}

/// The authority of a URL: a host and an optional port.
struct HostAndPort {
  let host: HostName
  let port: Int?

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    let afterHost = bytes.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? 0
    guard let colon = bytes[afterHost...].firstIndex(of: UInt8(ascii: ":")) else {
      guard let host = HostName(text) else { return nil }
      self.host = host
      port = nil
      return
    }
    let digits = bytes[(colon + 1)...]
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port),
      let host = HostName(String(decoding: bytes[..<colon], as: UTF8.self))
    else { return nil }
    self.host = host
    self.port = port
  }
}
