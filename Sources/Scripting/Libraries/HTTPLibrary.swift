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

  init(_ scheduler: Scheduler, _ calls: HostCalls, _ state: LuaState, timeout: Duration?, maxBody: Int) {
    self.scheduler = scheduler
    self.calls = calls
    self.state = state
    self.timeout = timeout
    self.maxBody = maxBody
  }

  func register(in host: HostTable) {
    host.add("http", "http") { [unowned self] call in
      let request = try request(call)
      return try calls.wait(call, for: .http(request)) { [unowned self] reply, stack throws(LuaError) in
        guard case .response(let response) = reply else { return 0 }
        push(response, on: stack)
        return 1
      }
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
    request.isRepeatable = stack.truth(at: 6)
    request.body = stack.withBytes(at: 4) { Bytes(copying: $0) }
    if let bad = request.headers.first(where: { $0.holdsLineBreak }) {
      throw HostFunctionError.misuse("http: the header '\(bad.name)' holds a line break")
    }
    return request
  }

  /// Pushes a response table; its body becomes text, or a value, when a script asks for it.
  private func push(_ response: HTTPResponse, on stack: LuaStack) {
    stack.pushTable(elements: 1, fields: 6)
    stack.push(owner: BytesOwner(response.body, on: state.account))
    stack.setElement(1, of: -2)
    stack.setField("status", of: -1, to: .integer(Int64(response.status)))
    stack.setField("url", of: -1, to: .string(response.url))
    stack.setField("elapsed", of: -1, to: .number(response.elapsed.inSeconds))
    stack.pushTable(fields: response.headers.count)
    var headers: [String: String] = [:]
    for header in response.headers {
      let name = header.name.lowercased()
      headers[name] = headers[name].map { $0 + ", " + header.value } ?? header.value
    }
    for (name, value) in headers { stack.setField(name, of: -1, to: .string(value)) }
    stack.setField("headers", of: -2)
    state.collect(forOutside: response.body.count)
  }
}

extension HTTPHeader {
  var holdsLineBreak: Bool {
    (name + value).utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
  }
}
