import Items
public import Paging

/// A host call as a recording keeps it: of a delivery only its size.
public enum RecordedCall: Sendable, Equatable {
  /// Any call but `.emit`.
  case call(HostCall)
  /// `items` of a stream, whose encoded forms have that many bytes together.
  case emit(stream: String?, items: Int, bytes: Int)

  /// What is kept of a call.
  public init(_ call: HostCall) {
    guard case .emit(let delivery) = call else {
      self = .call(call)
      return
    }
    self = .emit(stream: delivery.stream, items: delivery.itemCount, bytes: delivery.byteCount)
  }

  /// Equal for calls that may have each other's answers.
  ///
  /// Of an HTTP request count its method, URL, body, and the headers that hold no secret; not its limits. All
  /// deliveries are equal, since a policy may cut them in other sizes.
  var key: [UInt8] {
    var writer = JSONWriter()
    switch self {
    case .emit: writer.raw("emit")
    case .call(.http(var request)):
      request.headers.removeAll { SecretNames.isSecret(header: $0.name) }
      writer.what(request)
    case .call: writer.member(self)
    }
    return writer.bytes().withUnsafeBytes { Array($0) }
  }

  /// For messages, as `GET https://example.com/items`.
  var summary: String {
    switch self {
    case .emit(_, let items, _): "a delivery of \(items) items"
    case .call(let call): call.summary
    }
  }
}

extension HostCall {
  /// For messages: what it does and to what.
  var summary: String {
    switch self {
    case .http(let request): "\(request.method) \(request.url)"
    case .sleep(let duration): "sleep \(duration.decimalSeconds)"
    case .emit(let delivery): "a delivery of \(delivery.itemCount) items"
    case .readFile(let path): "read \(path)"
    case .writeFile(let path, _): "write \(path)"
    case .fileExists(let path): "look for \(path)"
    case .listFiles(let path): "list \(path)"
    case .openLines(let path): "read the lines of \(path)"
    case .nextLines(let handle, let limit): "the next \(limit) lines of file \(handle)"
    case .openDatabase(let path, _): "open the database \(path)"
    case .query(_, let statement), .openRows(_, let statement): "query \(statement.sql)"
    case .nextRows(let handle, let limit): "the next \(limit) rows of query \(handle)"
    case .execute(_, let statement): "execute \(statement.sql)"
    case .close(let handle): "close \(handle)"
    case .environment(let name): "the variable \(name)"
    }
  }
}
