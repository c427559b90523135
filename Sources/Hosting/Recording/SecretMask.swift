import Glibc
public import Items
import Paging

/// Replaces secrets by `[secret]`, byte by byte, in each of their encodings (`SecretForms`).
///
/// ```swift
/// let mask = SecretMask(["hunter22"])
/// mask.masked("key=hunter22")  // "key=[secret]"
/// ```
///
/// A secret of fewer than four bytes may be part of any word, and masking it there would spoil the recording: it is
/// masked only as a whole text or a parameter's value, and not in hexadecimal or base64. One of fewer than eight that
/// is a word is masked only as a whole word.
public final class SecretMask {
  /// The replacement of a secret; a replay passes it to the script instead.
  public static let placeholder = "[secret]"
  /// What it begins with, also where a fingerprint follows.
  static let beginning = "[secret"

  /// Longest first, so that a secret that is a prefix of another one does not mask half of it.
  private var forms: [SecretForm] = []
  private var known: Set<SecretForm> = []
  /// Whether any form starts with the byte.
  private var begins = [Bool](repeating: false, count: 256)
  /// Those whose forms nobody had to look for yet.
  private var added = [SecretMask.placeholder]

  /// The base of recorded paths, with a trailing slash, so that a recording can be moved.
  private let folder: String?
  /// Masks only what the script of a replay does not have either: what was given, and what was in answers.
  let hidden: SecretMask?

  /// A mask of these secrets; more can be added. Paths below the folder are recorded relative to it.
  public init(_ secrets: [String] = [], folder: String? = nil) {
    self.folder = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    hidden = SecretMask(folder: nil, hidden: nil)
    for secret in secrets { add(secret) }
  }

  private init(folder: String?, hidden: SecretMask?) { (self.folder, self.hidden) = (folder, hidden) }

  /// Masks one more secret from now on.
  public func add(_ secret: String) {
    guard !secret.isEmpty, secret != SecretMask.placeholder else { return }
    added.append(secret)
    hidden?.add(secret)
  }

  /// Masks one more secret that a request has shown: the script of a replay has it, too.
  func add(shown secret: String) {
    guard !secret.isEmpty, secret != SecretMask.placeholder else { return }
    added.append(secret)
  }

  /// The text without the secrets.
  public func masked(_ text: String) -> String {
    let bytes = Bytes(text)
    return isClean(bytes) ? text : masked(bytes).string
  }

  /// The path without the secrets, relative to the folder.
  func masked(path: String) -> String {
    guard let folder, path.hasPrefix(folder) else { return masked(path) }
    return masked(String(path.dropFirst(folder.count)))
  }

  /// The bytes without the secrets.
  public func masked(_ bytes: Bytes) -> Bytes {
    if isClean(bytes) { return bytes }
    var buffer = ByteBuffer(capacity: bytes.count)
    bytes.withUnsafeBytes { raw in
      var place = 0
      while place < raw.count {
        let form =
          begins[Int(raw[place])] ? forms.first { SecretMask.stands($0, in: raw, at: place) } : nil
        guard let form else {
          buffer.append(raw[place])
          place += 1
          continue
        }
        if form.reachesBefore, place > 0, SecretForms.isBase64(raw[place - 1]) { buffer.removeLast() }
        buffer.append(SecretMask.placeholder)
        place += form.bytes.count
        if form.reachesBehind, place < raw.count, SecretForms.isBase64(raw[place]) { place += 1 }
      }
    }
    return buffer.bytes()
  }

  private func isClean(_ bytes: Bytes) -> Bool {
    addForms()
    return bytes.withUnsafeBytes { raw in
      forms.allSatisfy { raw.firstPlace(after: $0.bytes) == nil }
    }
  }

  /// Minimum bytes of a secret that is masked wherever it is found.
  static let leastLength = 4

  private static func stands(_ form: SecretForm, in text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard text[place...].starts(with: form.bytes) else { return false }
    let end = place + form.bytes.count
    if form.bytes.count >= leastLength {
      guard form.isShortWord else { return true }
      let isPart =
        place > 0 && SecretForms.isAlphanumeric(text[place - 1]) && !SecretForms.endsEscape(text[..<place])
      return !isPart && (end == text.count || !SecretForms.isAlphanumeric(text[end]))
    }
    let isValue = place > 0 && text[place - 1] == UInt8(ascii: "=")
    let isEnded = end == text.count || "&#\" )".utf8.contains(text[end])
    return isEnded && isValue || place == 0 && end == text.count
  }

  private func addForms() {
    guard !added.isEmpty else { return }
    for form in added.flatMap(SecretForms.all)
    where !form.bytes.isEmpty && form.bytes != Array(SecretMask.placeholder.utf8)
      && known.insert(form).inserted
    {
      forms.append(form)
      begins[Int(form.bytes[0])] = true
    }
    forms.sort { $0.bytes.count > $1.bytes.count }
    added = []
  }
}

extension SecretMask {
  /// The URL without user and password, and without the values of parameters that look secret.
  ///
  /// If a parameter may also be a position in the data, a fingerprint of its value is kept, so that a replay can tell
  /// pages apart.
  public func masked(url: String) -> String {
    let url = masked(url)
    let end = url.firstIndex(of: "#") ?? url.endIndex
    guard let mark = url[..<end].firstIndex(of: "?") else { return withoutLogin(url) }
    let parameters = url[url.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
    let masked = parameters.map { parameter -> String in
      guard let equals = parameter.firstIndex(of: "=") else { return String(parameter) }
      let value = String(parameter[parameter.index(after: equals)...])
      return parameter[...equals] + self.masked(value, ofParameter: String(parameter[..<equals]))
    }
    return withoutLogin(String(url[...mark])) + masked.joined(separator: "&") + url[end...]
  }

  private func masked(_ value: String, ofParameter name: String) -> String {
    guard SecretNames.isSecret(parameter: name), !value.isEmpty else { return value }
    // What a replay has given the script instead of a secret comes back as queries are written.
    let plain = value.contains("%") ? SecretMask.plain(value) : value
    if plain.hasPrefix(SecretMask.beginning) { return plain }
    guard SecretNames.isAmbiguous(parameter: name) else { return SecretMask.placeholder }
    return "[secret:\(sha256(Array(value.utf8)).hexadecimal.prefix(8))]"
  }

  private func withoutLogin(_ url: String) -> String {
    guard let start = url.firstRange(of: "//")?.upperBound else { return url }
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = url[start..<end].lastIndex(of: "@") else { return url }
    return url[..<start] + SecretMask.placeholder + url[at...]
  }
}

extension SecretMask {
  /// The value of a form as it is read; what is not well encoded stays.
  static func plain(_ text: String) -> String {
    var plain: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let decoded = UInt8(hexadecimal: rest.prefix(2)) {
        plain.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        plain.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }
}

extension UnsafeRawBufferPointer {
  /// The position after the first occurrence of these bytes; nil if there is none.
  func firstPlace(after text: [UInt8]) -> Int? {
    guard let base = baseAddress, let first = text.first else { return nil }
    var place = 0
    while place + text.count <= count {
      guard let found = memchr(base + place, Int32(first), count - text.count + 1 - place) else { return nil }
      place = UnsafeRawPointer(found) - base
      if memcmp(found, text, text.count) == 0 { return place + text.count }
      place += 1
    }
    return nil
  }

  /// The string after a colon, as written; nil if anything else follows.
  var textAfterColon: String? {
    var rest = self[...].drop { $0 <= 0x20 }
    guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
    rest = rest.drop { $0 <= 0x20 }
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    return String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}

extension SecretMask {
  /// The recordable form of the call; remembers the secrets in it, since answers may repeat them.
  func masked(_ call: HostCall) -> HostCall {
    switch call {
    case .http(let request): .http(masked(request))
    case .readFile(let path): .readFile(path: masked(path: path))
    case .writeFile(let path, let contents): .writeFile(path: masked(path: path), contents: masked(contents))
    case .fileExists(let path): .fileExists(path: masked(path: path))
    case .listFiles(let path): .listFiles(path: masked(path: path))
    case .openLines(let path, let keepsEnds): .openLines(path: masked(path: path), keepsEnds: keepsEnds)
    case .listPage(let path, let at, let place, let limit):
      .listPage(path: masked(path: path), at: at.map { masked($0) }, from: place, limit: limit)
    case .openDatabase(let path, let isReadOnly):
      .openDatabase(path: masked(path: path), isReadOnly: isReadOnly)
    case .connectDatabase(let address, let isReadOnly, let timeout):
      .connectDatabase(
        address: DatabaseAddress.isPath(address)
          ? masked(path: address) : masked(DatabaseAddress.redacted(address)), isReadOnly: isReadOnly,
        timeout: timeout)
    case .query(let handle, let statement): .query(handle: handle, masked(statement))
    case .openRows(let handle, let statement): .openRows(handle: handle, masked(statement))
    case .execute(let handle, let statement): .execute(handle: handle, masked(statement))
    case .environment(let name): .environment(name: masked(name))
    // Of a delivery only its stream and size are recorded.
    case .begin(let request): .begin(masked(request))
    case .beginStep(let key, let parameters):
      .beginStep(key: masked(key), parameters: masked(parameters))
    case .sleep, .idle, .emit, .nextLines, .nextRows, .close, .read, .request: call
    }
  }

  private func masked(_ request: ReadingRequest) -> ReadingRequest {
    var request = request
    (request.partition, request.declaration) = (masked(request.partition), masked(request.declaration))
    request.parameters = masked(request.parameters)
    return request
  }

  /// The recorded form of a call.
  func recorded(_ call: HostCall) -> RecordedCall {
    guard case .emit(let stream, let items, let bytes) = RecordedCall(call) else {
      return RecordedCall(masked(call))
    }
    return .emit(stream: stream.map { masked($0) }, items: items, bytes: bytes)
  }

  /// The recordable form of the answer to a call.
  func masked(_ reply: HostReply, to call: RecordedCall) -> HostReply {
    switch reply {
    case .response(let response): return .response(masked(response))
    case .bytes(let bytes): return .bytes(masked(bytes))
    case .lines(let lines, let isEnd): return .lines(lines.map { masked($0) }, isEnd: isEnd)
    case .rows(let rows, let isEnd): return .rows(IndexedJSON(masked(rows.text)), isEnd: isEnd)
    case .page(let page):
      return .page(FilePage(elements: masked(page.elements.text), start: page.start, next: page.next))
    case .names(let names): return .names(names.map { masked($0) })
    case .text(let text?):
      if case .call(.environment(let name)) = call, SecretNames.isSecret(variable: name), !text.isEmpty {
        if text.utf8.count >= 4 { add(text) }
        return .text(SecretMask.placeholder)
      }
      return .text(masked(text))
    case .begun(var reading):
      if case .text(let key)? = reading.position?.key { reading.position?.key = .text(masked(key)) }
      if case .text(let key)? = reading.position?.front { reading.position?.front = .text(masked(key)) }
      reading.bookmark = reading.bookmark.map { masked($0) }
      reading.bookmarkLimit = reading.bookmarkLimit.map { masked($0) }
      reading.newBookmark = reading.newBookmark.map { masked($0) }
      return .begun(reading)
    case .step(let step): return .step(BegunStep(id: step.id, result: step.result.map { masked($0) }))
    case .failed(var failure):
      failure.message = masked(failure.message)
      failure.needs = failure.needs.map { masked($0) }
      return .failed(failure)
    case .done, .handle, .count, .flag, .text(nil): return reply
    }
  }

  private func masked(_ request: HTTPRequest) -> HTTPRequest {
    learn(url: request.url)
    for header in request.headers { learn(header) }
    if request.headers["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true {
      learn(form: request.body ?? .empty)
    }
    var request = request
    request.method = masked(request.method)
    request.url = masked(url: request.url)
    request.headers = masked(request.headers)
    request.body = request.body.map { masked($0) }
    return request
  }

  private func masked(_ response: HTTPResponse) -> HTTPResponse {
    learn(body: response.body)
    for header in response.headers { learn(set: header) }
    var response = response
    response.url = masked(url: response.url)
    response.redirectURL = response.redirectURL.map { masked(url: $0) }
    response.headers = masked(response.headers)
    response.body = masked(response.body)
    return response
  }

  private func masked(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    headers.map { header in
      let name = masked(header.name)
      if SecretNames.isSecret(header: header.name) {
        return HTTPHeader(name, SecretMask.placeholder)
      }
      let isAddress = ["content-location", "link", "location", "refresh", "referer"].contains(
        header.name.lowercased())
      return HTTPHeader(name, isAddress ? masked(addressesIn: header.value) : masked(header.value))
    }
  }

  /// The value of a header, which may have addresses, as `Link` has between angle brackets.
  private func masked(addressesIn value: String) -> String {
    var masked = ""
    var rest = value[...]
    while !rest.isEmpty {
      let word = rest.prefix { !SecretMask.isBetweenAddresses($0) }
      masked += self.masked(url: String(word))
      rest = rest[word.endIndex...]
      let between = rest.prefix(while: SecretMask.isBetweenAddresses)
      masked += between
      rest = rest[between.endIndex...]
    }
    return self.masked(masked)
  }

  private static func isBetweenAddresses(_ character: Character) -> Bool { "<>\" \t".contains(character) }

  private func masked(_ statement: SQLStatement) -> SQLStatement {
    SQLStatement(
      masked(statement.sql), positional: statement.positional.map { masked($0) },
      named: Dictionary(statement.named.map { (masked($0.key), masked($0.value)) }) { $1 })
  }

  private func masked(_ value: SQLValue) -> SQLValue {
    switch value {
    case .text(let text): .text(masked(text))
    case .blob(let bytes): .blob(masked(bytes))
    case .null, .boolean, .integer, .real: value
    }
  }
}
