import Items
import Lua
import Paging

/// HTTP requests, and responses as scripts see them.
final class HTTPLibrary: ScriptLibrary {
  private let scheduler: Scheduler
  private let calls: HostCalls
  private let state: LuaState
  private let timeout: Duration?
  private let maxBody: Int
  /// Whether the last body that a script asked for was asked for as JSON, as the next ones will be.
  private var readsJSON = false

  init(_ scheduler: Scheduler, _ calls: HostCalls, _ state: LuaState, timeout: Duration?, maxBody: Int) {
    self.scheduler = scheduler
    self.calls = calls
    self.state = state
    self.timeout = timeout
    self.maxBody = maxBody
  }

  func register(in host: HostTable) {
    registerCredentials(in: host)
    host.add("http", "http") { [unowned self] call in
      let request = try request(call)
      return try calls.wait(call, for: .http(request)) { [unowned self] reply, stack throws(LuaError) in
        guard case .response(let response) = reply else { return 0 }
        push(response, on: stack)
        return 1
      }
    }
    host.add("bodyJSON", "response:json") { [unowned self] call in
      guard let body = call.stack.owner(at: 1) as? BytesOwner else {
        throw HostFunctionError.misuse("response:json: write response:json(), not response.json()")
      }
      readsJSON = true
      return call.stack.answer(json: body)
    }
    host.add("bodyText", "response.body") { [unowned self] call in
      guard let body = call.stack.owner(at: 1) as? BytesOwner else { return .nothing }
      readsJSON = false
      body.bytes.withUnsafeBytes { call.stack.push(bytes: $0) }
      return .results(1)
    }
  }

  /// credentialsStay(url, target), mayBeCredential(header)
  private func registerCredentials(in host: HostTable) {
    host.add("credentialsStay", "http") { call in
      let (url, target) = (call.stack.string(at: 1) ?? "", call.stack.string(at: 2) ?? "")
      call.stack.push(Credentials.stay(url, and: target))
      return .results(1)
    }
    host.add("mayBeCredential", "http") { call in
      call.stack.push(Credentials.mayBe(call.stack.string(at: 1) ?? ""))
      return .results(1)
    }
  }

  /// http(method, url, headers, body, timeout, retry)
  private func request(_ call: HostFunctionCall) throws -> HTTPRequest {
    let stack = call.stack
    let settings = scheduler.running?.settings ?? RequestSettings()
    var request = HTTPRequest(
      method: stack.string(at: 1) ?? "GET", url: stack.string(at: 2) ?? "",
      timeout: timeout ?? stack.number(at: 5).map(Duration.init(limitedSeconds:))
        ?? settings.timeout,
      maxBody: maxBody)
    for position in 1...max(1, stack.length(of: 3)) {
      stack.pushElement(position, of: 3)
      defer { stack.pop() }
      guard stack.isTable(at: -1) else { continue }
      stack.pushElement(1, of: -1)
      stack.pushElement(2, of: -2)
      defer { stack.pop(2) }
      request.headers.append(HTTPHeader(stack.string(at: -2) ?? "", stack.string(at: -1) ?? ""))
    }
    request.isRepeatable = stack.isNil(at: 6) ? nil : stack.truth(at: 6)
    request.expectsJSON = readsJSON
    request.body = stack.withBytes(at: 4) { Bytes(copying: $0) }
    if let bad = request.headers.first(where: { $0.holdsLineBreak }) {
      throw HostFunctionError.misuse("http: the header '\(bad.name)' holds a line break")
    }
    return request
  }

  /// Pushes a response table; its body becomes text, or a value, when a script asks for it.
  private func push(_ response: HTTPResponse, on stack: LuaStack) {
    stack.pushTable(elements: 1, fields: 6)
    stack.push(owner: BytesOwner(response.json, on: state.account))
    stack.setElement(1, of: -2)
    stack.setField("status", of: -1, to: .integer(Int64(response.status)))
    stack.setField("url", of: -1, to: .string(response.url))
    stack.setField("elapsed", of: -1, to: .number(response.elapsed.inSeconds))
    stack.pushTable(fields: response.headers.count)
    for header in response.headers { add(header, on: stack) }
    stack.setField("headers", of: -2)
  }

  /// Adds a header to the table on the top: the values of those of one name are a list with commas (RFC 9110, 5.3). Names differ
  /// by more than the case of ASCII letters, as for Lua.
  private func add(_ header: HTTPHeader, on stack: LuaStack) {
    let name = header.name.lowercasedASCII
    stack.pushField(name, of: -1)
    let before = stack.isNil(at: -1) ? nil : stack.shownString(at: -1)
    stack.pop()
    stack.setField(name, of: -1, to: .string(before.map { $0 + ", " + header.value } ?? header.value))
  }
}

private extension String {
  var lowercasedASCII: String {
    var text = self
    return text.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { lower in
        for (place, byte) in bytes.enumerated() { lower[place] = 0x41...0x5A ~= byte ? byte | 0x20 : byte }
        return bytes.count
      }
    }
  }
}

extension HTTPHeader {
  var holdsLineBreak: Bool {
    (name + value).utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
  }
}
