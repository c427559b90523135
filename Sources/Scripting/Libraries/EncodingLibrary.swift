import Items
import Lua

/// URLs, base64, hashes and times: functions without waiting or I/O.
final class EncodingLibrary: ScriptLibrary {
  private let digest: (_ algorithm: String, _ key: [UInt8]?, _ data: [UInt8]) -> [UInt8]

  init(digest: @escaping (_ algorithm: String, _ key: [UInt8]?, _ data: [UInt8]) -> [UInt8]) {
    self.digest = digest
  }

  func register(in host: HostTable) {
    host.add("urlEncode", "url.encode") { call in
      if let encoded = try Self.bytes(call, 1, percentEncoded) {
        call.stack.push(encoded)
      } else {
        call.stack.pushCopy(of: 1)
      }
      return .results(1)
    }
    host.add("urlDecode", "url.decode") { call in
      Self.push(percentDecoded(try Self.text(call, 1)), on: call.stack)
      return .results(1)
    }
    host.add("urlJoin", "url.join") { call in
      call.stack.push(URLText(try Self.text(call, 1)).joined(try Self.text(call, 2)).text)
      return .results(1)
    }
    host.add("urlParse", "url.parse") { call in
      let url = URLText(try Self.text(call, 1))
      call.stack.pushTable(fields: 6)
      for (name, value) in url.parts { call.stack.setField(name, of: -1, to: value) }
      return .results(1)
    }
    host.add("base64Encode", "base64.encode") { call in
      call.stack.push(try Self.bytes(call, 1, Base64.encode))
      return .results(1)
    }
    host.add("base64Decode", "base64.decode") { call in
      guard let decoded = Base64.decode(try Self.text(call, 1)) else {
        throw HostFunctionError.misuse("base64.decode: the text is not base64")
      }
      Self.push(decoded, on: call.stack)
      return .results(1)
    }
    // The prelude has checked what scripts give.
    host.add("digest", "hash") { [unowned self] call in
      let algorithm = try Self.text(call, 1)
      let key = call.stack.isNil(at: 2) ? nil : try Self.bytes(call, 2) { Array($0) }
      let made = digest(algorithm, key, try Self.bytes(call, 3) { Array($0) })
      if call.stack.truth(at: 4) { Self.push(made, on: call.stack) } else { call.stack.push(Self.hex(made)) }
      return .results(1)
    }
    host.add("timeISO", "time.iso") { call in
      guard let seconds = call.stack.number(at: 1), let text = Timestamp.iso(seconds) else {
        throw HostFunctionError.misuse(
          "time.iso: expected seconds since 1970, got \(Self.shown(call.stack))")
      }
      call.stack.push(text)
      return .results(1)
    }
    host.add("timeParse", "time.parse") { call in
      let text = try Self.text(call, 1)
      guard let seconds = Timestamp.parse(text) else {
        throw HostFunctionError.misuse("time.parse: expected a time as 2026-11-21T09:10:00Z, got \"\(text)\"")
      }
      if seconds == seconds.rounded() { call.stack.push(Int64(seconds)) } else { call.stack.push(seconds) }
      return .results(1)
    }
  }

  /// The first argument as shown in messages: numbers and strings themselves, other values by type.
  private static func shown(_ stack: LuaStack) -> String {
    if stack.number(at: 1) != nil { return stack.describe(at: 1) }
    return stack.shownString(at: 1).map { "\"\($0.prefix(40))\"" } ?? stack.typeName(at: 1)
  }

  private static func text(_ call: HostFunctionCall, _ index: Int) throws -> String {
    try bytes(call, index) { _ in call.stack.string(at: index) ?? "" }
  }

  private static func bytes<Result>(
    _ call: HostFunctionCall, _ index: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    guard let result = call.stack.withBytes(at: index, body) else {
      throw HostFunctionError.misuse(
        "\(call.name): argument \(index): expected a string, got \(call.stack.typeName(at: index))")
    }
    return result
  }

  private static func push(_ bytes: [UInt8], on stack: LuaStack) {
    bytes.withUnsafeBytes { stack.push(bytes: $0) }
  }

  /// SHA-256 of a text, in hexadecimal.
  static func sha256(
    _ text: String, by digest: (_ algorithm: String, _ key: [UInt8]?, _ data: [UInt8]) -> [UInt8]
  ) -> String { hex(digest("sha256", nil, Array(text.utf8))) }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
