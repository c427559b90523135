import Items
import Paging

extension SecretMask {
  /// The call as it may be kept; what it shows of secrets is remembered, since answers may repeat it.
  func masked(_ call: HostCall) -> HostCall {
    switch call {
    case .http(let request): .http(masked(request))
    case .readFile(let path): .readFile(path: masked(path: path))
    case .writeFile(let path, let contents): .writeFile(path: masked(path: path), contents: masked(contents))
    case .fileExists(let path): .fileExists(path: masked(path: path))
    case .listFiles(let path): .listFiles(path: masked(path: path))
    case .openLines(let path): .openLines(path: masked(path: path))
    case .openDatabase(let path, let isReadOnly):
      .openDatabase(path: masked(path: path), isReadOnly: isReadOnly)
    case .query(let handle, let statement): .query(handle: handle, masked(statement))
    case .openRows(let handle, let statement): .openRows(handle: handle, masked(statement))
    case .execute(let handle, let statement): .execute(handle: handle, masked(statement))
    case .environment(let name): .environment(name: masked(name))
    // Of a delivery only its stream and its size are kept.
    case .sleep, .emit, .nextLines, .nextRows, .close: call
    }
  }

  /// What is kept of a call.
  func recorded(_ call: HostCall) -> RecordedCall {
    guard case .emit(let stream, let items, let bytes) = RecordedCall(call) else {
      return RecordedCall(masked(call))
    }
    return .emit(stream: stream.map { masked($0) }, items: items, bytes: bytes)
  }

  /// The answer to a call as it may be kept.
  func masked(_ reply: HostReply, to call: RecordedCall) -> HostReply {
    switch reply {
    case .response(let response): return .response(masked(response))
    case .bytes(let bytes): return .bytes(masked(bytes))
    case .lines(let lines, let isEnd): return .lines(lines.map { masked($0) }, isEnd: isEnd)
    case .rows(let rows, let isEnd): return .rows(masked(rows), isEnd: isEnd)
    case .names(let names): return .names(names.map { masked($0) })
    case .text(let text?):
      if case .call(.environment(let name)) = call, SecretNames.isSecret(variable: name), !text.isEmpty {
        if text.utf8.count >= 4 { add(text) }
        return .text(SecretMask.placeholder)
      }
      return .text(masked(text))
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
    var request = request
    request.method = masked(request.method)
    request.url = masked(url: request.url)
    request.headers = masked(request.headers)
    request.body = request.body.map { masked($0) }
    return request
  }

  private func masked(_ response: HTTPResponse) -> HTTPResponse {
    learn(body: response.body)
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
      let isAddress = ["location", "content-location", "referer"].contains(header.name.lowercased())
      return HTTPHeader(name, isAddress ? masked(url: header.value) : masked(header.value))
    }
  }

  private func masked(_ statement: SQLStatement) -> SQLStatement {
    SQLStatement(
      masked(statement.sql), positional: statement.positional.map { masked($0) },
      named: Dictionary(statement.named.map { (masked($0.key), masked($0.value)) }) { $1 })
  }

  private func masked(_ value: SQLValue) -> SQLValue {
    switch value {
    case .text(let text): .text(masked(text))
    case .blob(let bytes): .blob(masked(bytes))
    case .null, .integer, .real: value
    }
  }

  /// The credentials of a header; of basic ones the password too.
  private func learn(_ header: HTTPHeader) {
    guard SecretNames.isSecret(header: header.name) else { return }
    let words = header.value.split(separator: " ").map(String.init)
    for word in words.suffix(words.count > 1 ? words.count - 1 : 1) { learn(word) }
    guard words.count == 2, words[0].lowercased() == "basic", let login = Bytes.decoding(base64: words[1])
    else { return }
    if let password = login.string.split(separator: ":", maxSplits: 1).last { learn(String(password)) }
  }

  /// The parts of a header that a person gave which are secrets: its value, credentials without their scheme.
  public static func secrets(ofHeader name: String, _ value: String) -> [String] {
    guard SecretNames.isSecret(header: name) else { return [] }
    let words = value.split(separator: " ").map(String.init)
    return words.count > 1 ? Array(words.dropFirst()) : words
  }
}
