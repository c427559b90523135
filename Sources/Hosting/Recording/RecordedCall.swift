import Items
import JSON
public import Paging

/// A host call as recorded: of a delivery only its size.
public enum RecordedCall: Sendable, Equatable {
  /// Any call except `.emit`.
  case call(HostCall)
  /// `items` of a stream, with the total size of their encoded forms.
  case emit(stream: String?, items: Int, bytes: Int)

  /// The recorded form of a call.
  public init(_ call: HostCall) {
    guard case .emit(let delivery) = call else {
      self = .call(call)
      return
    }
    self = .emit(stream: delivery.stream, items: delivery.itemCount, bytes: delivery.byteCount)
  }

  /// Equal for calls that may share answers.
  ///
  /// For HTTP requests: method, URL, body, and the headers without secrets; not the limits. All deliveries are equal,
  /// since a policy may split them differently.
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

  /// For messages, such as `GET https://example.com/items`.
  var summary: String {
    switch self {
    case .emit(_, let items, _): "a delivery of \(items) items"
    case .call(let call): call.summary
    }
  }
}

extension HostCall {
  /// For messages: the operation and its subject.
  var summary: String {
    switch self {
    case .http(let request): "\(request.method) \(request.url)"
    case .sleep(let duration): "sleep \(duration.decimalSeconds)"
    case .idle: "wait until there is nothing else to do"
    case .emit(let delivery): "a delivery of \(delivery.itemCount) items"
    case .beginStep(let key, _): "begin the step \(key)"
    case .begin(let request): "begin to read \(request.source)"
    case .readFile(let path): "read \(path)"
    case .writeFile(let path, _): "write \(path)"
    case .fileExists(let path): "look for \(path)"
    case .listFiles(let path): "list \(path)"
    case .openLines(let path, _): "read the lines of \(path)"
    case .listPage(let path, _, _, _): "read a page of \(path)"
    case .nextLines(let handle, let limit): "the next \(limit) lines of file \(handle)"
    case .openDatabase(let path, _): "open the database \(path)"
    case .connectDatabase(let address, _, _): "open the database \(DatabaseAddress.redacted(address))"
    case .query(_, let statement), .openRows(_, let statement): "query \(statement.sql)"
    case .nextRows(let handle, let limit): "the next \(limit) rows of query \(handle)"
    case .execute(_, let statement): "execute \(statement.sql)"
    case .close(let handle): "close \(handle)"
    case .environment(let name): "the variable \(name)"
    case .read(let partition): "read \(partition.source) with \(partition.parameters)"
    case .request(let request, _): "\(request.method) \(request.url)"
    }
  }
}

extension JSONWriter {
  /// The call as a member of an object: its kind and arguments.
  mutating func member(_ call: RecordedCall) {
    switch call {
    case .emit(let stream, let items, let bytes):
      member("emit") {
        $0.member("stream", stream)
        $0.member("items", items)
        $0.member("bytes", bytes)
      }
    case .call(let call): member(call)
    }
  }

  private mutating func member(_ call: HostCall) {
    switch call {
    case .http(let request): member(request)
    case .sleep(let duration): member("sleep") { $0.member("seconds", duration) }
    case .idle: member("idle") { _ in }
    case .emit: preconditionFailure("deliveries are kept by their size")
    case .read, .request: preconditionFailure("a run on several threads is not recorded")
    case .beginStep(let key, let parameters):
      member("beginStep") {
        $0.member("key", key)
        $0.member("parameters", parameters)
      }
    case .begin(let request):
      member("begin") {
        $0.member("stream", request.stream)
        $0.member("source", request.source)
        $0.member("partition", request.partition)
        $0.member("parameters", request.parameters)
        $0.member("declaration", request.declaration)
        $0.member("write", request.write?.rawValue)
        $0.member("isIncremental", request.isIncremental)
      }
    case .readFile(let path): member("readFile") { $0.member("path", path) }
    case .writeFile(let path, let contents):
      member("writeFile") {
        $0.member("path", path)
        $0.member("contents", contents)
      }
    case .fileExists(let path): member("fileExists") { $0.member("path", path) }
    case .listFiles(let path): member("listFiles") { $0.member("path", path) }
    case .openLines(let path, let keepsEnds):
      member("openLines") {
        $0.member("path", path)
        if keepsEnds { $0.member("keepsEnds", true) }
      }
    case .nextLines(let handle, let limit): member("nextLines", handle, limit)
    case .listPage(let path, let at, let place, let limit):
      member("listPage") {
        $0.member("path", path)
        $0.member("at", at) { $0.text($1) }
        if let place { $0.member(place, "from") }
        $0.member("limit", limit)
      }
    case .openDatabase(let path, let isReadOnly):
      member("openDatabase") {
        $0.member("path", path)
        $0.member("isReadOnly", isReadOnly)
      }
    case .connectDatabase(let address, let isReadOnly, let timeout):
      member("connectDatabase") {
        $0.member("address", address)
        $0.member("isReadOnly", isReadOnly)
        $0.member("timeout", timeout)
      }
    case .query(let handle, let statement): member("query", handle, statement)
    case .openRows(let handle, let statement): member("openRows", handle, statement)
    case .nextRows(let handle, let limit): member("nextRows", handle, limit)
    case .execute(let handle, let statement): member("execute", handle, statement)
    case .close(let handle): member("close") { $0.member("handle", handle) }
    case .environment(let name): member("environment") { $0.member("name", name) }
    }
  }

  private mutating func member(_ request: HTTPRequest) {
    member("http") {
      $0.what(request)
      $0.member("timeout", request.timeout)
      $0.member("maxBody", request.maxBody)
    }
  }

  /// The request without its limits.
  mutating func what(_ request: HTTPRequest) {
    member("method", request.method)
    member("url", request.url)
    member("headers", request.headers)
    key("body")
    if let body = request.body { contents(body) } else { null() }
  }

  private mutating func member(_ name: String, _ handle: Int, _ limit: Int) {
    member(name) {
      $0.member("handle", handle)
      $0.member("limit", limit)
    }
  }

  private mutating func member(_ name: String, _ handle: Int, _ statement: SQLStatement) {
    member(name) {
      $0.member("handle", handle)
      $0.member("sql", statement.sql)
      $0.member("positional", statement.positional) { $0.value($1) }
      $0.member("named", statement.named.sorted { $0.key < $1.key }) { json, entry in
        json.array {
          $0.text(entry.key)
          $0.value(entry.value)
        }
      }
    }
  }

  /// Blobs and non-finite numbers are objects.
  private mutating func value(_ value: SQLValue) {
    switch value {
    case .null: null()
    case .boolean(let boolean): self.boolean(boolean)
    case .integer(let integer): self.integer(integer)
    case .real(let real) where real.isFinite: self.real(real)
    case .real(let real): object { $0.member("real", real.description) }
    case .text(let text): self.text(text)
    case .blob(let bytes):
      object { json in
        json.key("base64")
        bytes.withUnsafeBytes { raw in json.base64(raw) }
      }
    }
  }
}

extension RecordedCall {
  /// The member of the line that is a call, ignoring others.
  init(_ line: RecordedFields) throws(LineFault) {
    for (name, value) in line.all {
      guard let read = RecordedCall.readers[name] else { continue }
      self = try read(try RecordedFields(value, name))
      return
    }
    throw LineFault(expected: "a host call, as 'http' or 'sleep'", got: "none that is known")
  }

  private typealias Reader = @Sendable (RecordedFields) throws(LineFault) -> RecordedCall

  private static let readers: [String: Reader] = [
    "http": { fields throws(LineFault) in .call(.http(try HTTPRequest(fields))) },
    "sleep": { fields throws(LineFault) in .call(.sleep(try fields.duration("seconds"))) },
    "idle": { _ throws(LineFault) in .call(.idle) },
    "emit": { fields throws(LineFault) in
      .emit(
        stream: try fields.textIfAny("stream"), items: try fields.integer("items"),
        bytes: try fields.integer("bytes"))
    },
    "beginStep": { fields throws(LineFault) in
      .call(.beginStep(key: try fields.text("key"), parameters: try fields.text("parameters")))
    },
    "begin": { fields throws(LineFault) in .call(.begin(try ReadingRequest(fields))) },
    "readFile": { fields throws(LineFault) in .call(.readFile(path: try fields.text("path"))) },
    "writeFile": { fields throws(LineFault) in
      .call(.writeFile(path: try fields.text("path"), contents: try fields.bytes("contents")))
    },
    "fileExists": { fields throws(LineFault) in .call(.fileExists(path: try fields.text("path"))) },
    "listFiles": { fields throws(LineFault) in .call(.listFiles(path: try fields.text("path"))) },
    "openLines": { fields throws(LineFault) in
      .call(
        .openLines(
          path: try fields.text("path"), keepsEnds: try fields.booleanIfAny("keepsEnds") ?? false))
    },
    "nextLines": { fields throws(LineFault) in
      .call(.nextLines(handle: try fields.integer("handle"), limit: try fields.integer("limit")))
    },
    "listPage": { fields throws(LineFault) in
      .call(
        .listPage(
          path: try fields.text("path"), at: try fields.list("at", of: "a text") { $0.text },
          from: try FilePlace.ifAny("from", in: fields), limit: try fields.integer("limit")))
    },
    "openDatabase": { fields throws(LineFault) in
      .call(.openDatabase(path: try fields.text("path"), isReadOnly: try fields.boolean("isReadOnly")))
    },
    "connectDatabase": { fields throws(LineFault) in
      .call(
        .connectDatabase(
          address: try fields.text("address"), isReadOnly: try fields.boolean("isReadOnly"),
          timeout: try fields.duration("timeout")))
    },
    "query": { fields throws(LineFault) in
      .call(.query(handle: try fields.integer("handle"), try SQLStatement(fields)))
    },
    "openRows": { fields throws(LineFault) in
      .call(.openRows(handle: try fields.integer("handle"), try SQLStatement(fields)))
    },
    "nextRows": { fields throws(LineFault) in
      .call(.nextRows(handle: try fields.integer("handle"), limit: try fields.integer("limit")))
    },
    "execute": { fields throws(LineFault) in
      .call(.execute(handle: try fields.integer("handle"), try SQLStatement(fields)))
    },
    "close": { fields throws(LineFault) in .call(.close(handle: try fields.integer("handle"))) },
    "environment": { fields throws(LineFault) in .call(.environment(name: try fields.text("name"))) },
  ]
}

extension HTTPRequest {
  init(_ fields: RecordedFields) throws(LineFault) {
    self.init(
      method: try fields.text("method"), url: try fields.text("url"), headers: try fields.headers("headers"),
      body: try fields.bytesIfAny("body"), timeout: try fields.duration("timeout"),
      maxBody: try fields.integer("maxBody"))
  }
}

extension ReadingRequest {
  init(_ fields: RecordedFields) throws(LineFault) {
    self.init(stream: try fields.textIfAny("stream"), source: try fields.text("source"))
    partition = try fields.text("partition")
    parameters = try fields.text("parameters")
    declaration = try fields.text("declaration")
    write = try fields.textIfAny("write").flatMap(WriteMode.init)
    isIncremental = try fields.boolean("isIncremental")
  }
}

extension SQLStatement {
  init(_ fields: RecordedFields) throws(LineFault) {
    let named = try fields.list("named", of: "a pair of a name and a value") { tree -> (String, SQLValue)? in
      guard case .list(let pair) = tree, pair.count == 2, let name = pair[0].text,
        let value = SQLValue(pair[1])
      else { return nil }
      return (name, value)
    }
    self.init(
      try fields.text("sql"), positional: try fields.list("positional", of: "a value of SQL", SQLValue.init),
      named: Dictionary(named) { $1 })
  }
}

extension SQLValue {
  init?(_ tree: JSONTree) {
    switch tree {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .number(let text):
      if let integer = Int64(text) {
        self = .integer(integer)
      } else if let real = Double(text) {
        self = .real(real)
      } else {
        return nil
      }
    case .text(let text): self = .text(text)
    case .object(let members):
      if let real = members["real"]?.text.flatMap(Double.init) {
        self = .real(real)
      } else if let bytes = Bytes(tree) {
        self = .blob(bytes)
      } else {
        return nil
      }
    case .list: return nil
    }
  }
}

extension RecordedFields {
  func headers(_ name: String) throws(LineFault) -> [HTTPHeader] {
    try list(name, of: "a pair of a name and a text") { tree in
      guard case .list(let pair) = tree, pair.count == 2, let name = pair[0].text, let value = pair[1].text
      else { return nil }
      return HTTPHeader(name, value)
    }
  }
}
