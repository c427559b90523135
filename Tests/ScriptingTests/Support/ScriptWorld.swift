import Items
import Paging

/// The world of a script: what is behind its host calls. Every call is remembered.
final class ScriptWorld {
  /// Replies by method and URL, as `GET http://a/b`, used in turn; the last one stays.
  var routes: [String: [HostReply]]
  /// Files by path; scripts live in `/scripts`.
  var files: [String: String] = [:]
  var environment: [String: String] = [:]
  /// Takes the calls of databases.
  var database: (HostCall) -> HostReply = { _ in .failed(HostFailure(.database, "there is no database")) }
  /// How long an HTTP exchange takes.
  var latency = Duration.milliseconds(100)
  /// How long the sink takes for a delivery.
  var sinkDelay = Duration.zero
  /// Answers deliveries, by their number from 0.
  var sinkReply: (Int) -> HostReply = { _ in .done }
  /// When HTTP connections are refused.
  var refuses: (Instant) -> Bool = { _ in false }
  /// Calls that get no answer.
  var neverAnswers: (HostCall) -> Bool = { _ in false }

  private(set) var requests: [(at: Instant, request: HTTPRequest)] = []
  private(set) var deliveries: [(at: Instant, delivery: Delivery)] = []
  /// Calls besides HTTP and the sink.
  private(set) var calls: [HostCall] = []
  private var sent: [String: Int] = [:]
  private var lines: [Int: ArraySlice<Substring>] = [:]

  init(_ routes: [String: [HostReply]] = [:]) { self.routes = routes }

  func answer(_ call: HostCall, at now: Instant) -> (reply: HostReply, after: Duration)? {
    switch call {
    case .http(let request): requests.append((now, request))
    case .emit(let delivery): deliveries.append((now, delivery))
    default: calls.append(call)
    }
    if neverAnswers(call) { return nil }
    switch call {
    case .http where refuses(now): return (.broken("could not connect to a:80 (connection refused)"), .zero)
    case .http(let request): return (reply(to: request), latency)
    case .emit: return (sinkReply(deliveries.count - 1), sinkDelay)
    default: return (reply(to: call), .zero)
    }
  }

  private func reply(to request: HTTPRequest) -> HostReply {
    let name = "\(request.method) \(request.url)"
    guard let replies = routes[name] else { return .status(404, "no \(name) in this world", at: request.url) }
    let number = sent[name, default: 0]
    sent[name] = number + 1
    guard case .response(var response) = replies[min(number, replies.count - 1)] else {
      return replies[min(number, replies.count - 1)]
    }
    response.url = request.url
    return .response(response)
  }

  private func reply(to call: HostCall) -> HostReply {
    switch call {
    case .readFile(let path): return files[path].map { .bytes(Bytes($0)) } ?? missing(path)
    case .writeFile(let path, let contents):
      files[path] = contents.string
      return .done
    case .fileExists(let path): return .flag(files[path] != nil)
    case .listFiles(let folder):
      let names = files.keys.filter { $0.hasPrefix(folder + "/") }.map {
        String($0.dropFirst(folder.count + 1))
      }
      return .names(names.sorted())
    case .listPage(let path, _, _, _):
      return files[path].map { .page(FilePage(elements: Bytes($0), next: nil)) } ?? missing(path)
    case .openLines(let path, let keepsEnds): return open(path, keepsEnds)
    case .nextLines(let handle, let limit): return nextLines(handle, limit)
    case .environment(let name): return .text(environment[name])
    case .close: return .done
    default: return database(call)
    }
  }

  private func open(_ path: String, _ keepsEnds: Bool) -> HostReply {
    guard let text = files[path] else { return missing(path) }
    let handle = 100 + lines.count
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    let whole = parts.dropLast(text.isEmpty || text.hasSuffix("\n") ? 1 : 0)
    lines[handle] =
      keepsEnds
      ? whole.enumerated().map { $0 + 1 < parts.count ? $1 + "\n" : $1 }[...] : whole
    return .handle(handle)
  }

  private func nextLines(_ handle: Int, _ limit: Int) -> HostReply {
    let rest = lines[handle] ?? []
    lines[handle] = rest.dropFirst(limit)
    return .lines(rest.prefix(limit).map { Bytes(String($0)) }, isEnd: rest.count <= limit)
  }

  private func missing(_ path: String) -> HostReply {
    .failed(HostFailure(.notFound, "there is no file \(path)"))
  }
}

extension HostReply {
  static func json(_ text: String, _ headers: [HTTPHeader] = []) -> HostReply {
    .response(HTTPResponse(status: 200, headers: headers, body: Bytes(text), url: ""))
  }

  static func status(
    _ status: Int, _ body: String = "", _ headers: [HTTPHeader] = [], at url: String = ""
  ) -> HostReply {
    .response(HTTPResponse(status: status, headers: headers, body: Bytes(body), url: url))
  }

  static func broken(_ message: String) -> HostReply {
    .failed(HostFailure(.network, message, isTransient: true))
  }
}
