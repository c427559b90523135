import Items
import Paging

extension JSONWriter {
  /// The call as one member of an object: its kind, and what belongs to it.
  mutating func member(_ call: RecordedCall) {
    switch call {
    case .emit(let stream, let items, let bytes):
      raw("\"emit\":{\"stream\":")
      orNull(stream)
      raw(",\"items\":")
      integer(Int64(items))
      raw(",\"bytes\":")
      integer(Int64(bytes))
      raw("}")
    case .call(let call): member(call)
    }
  }

  private mutating func member(_ call: HostCall) {
    switch call {
    case .http(let request): member(request)
    case .sleep(let duration):
      raw("\"sleep\":{\"seconds\":")
      seconds(duration)
      raw("}")
    case .emit: preconditionFailure("deliveries are kept by their size")
    case .readFile(let path): member("\"readFile\":{\"path\":", path)
    case .writeFile(let path, let contents):
      raw("\"writeFile\":{\"path\":")
      text(path)
      raw(",\"contents\":")
      self.contents(contents)
      raw("}")
    case .fileExists(let path): member("\"fileExists\":{\"path\":", path)
    case .listFiles(let path): member("\"listFiles\":{\"path\":", path)
    case .openLines(let path): member("\"openLines\":{\"path\":", path)
    case .nextLines(let handle, let limit): member("\"nextLines\":", handle, limit)
    case .openDatabase(let path, let isReadOnly):
      raw("\"openDatabase\":{\"path\":")
      text(path)
      raw(",\"isReadOnly\":")
      boolean(isReadOnly)
      raw("}")
    case .query(let handle, let statement): member("\"query\":", handle, statement)
    case .openRows(let handle, let statement): member("\"openRows\":", handle, statement)
    case .nextRows(let handle, let limit): member("\"nextRows\":", handle, limit)
    case .execute(let handle, let statement): member("\"execute\":", handle, statement)
    case .close(let handle):
      raw("\"close\":{\"handle\":")
      integer(Int64(handle))
      raw("}")
    case .environment(let name): member("\"environment\":{\"name\":", name)
    }
  }

  private mutating func member(_ request: HTTPRequest) {
    raw("\"http\":{")
    what(request)
    raw(",\"timeout\":")
    seconds(request.timeout)
    raw(",\"maxBody\":")
    integer(Int64(request.maxBody))
    raw("}")
  }

  /// What is asked for, without the limits of asking.
  mutating func what(_ request: HTTPRequest) {
    raw("\"method\":")
    text(request.method)
    raw(",\"url\":")
    text(request.url)
    raw(",\"headers\":")
    headers(request.headers)
    raw(",\"body\":")
    if let body = request.body { contents(body) } else { null() }
  }

  /// A list of pairs, since names may come twice.
  mutating func headers(_ headers: [HTTPHeader]) {
    list(headers) { writer, header in
      writer.list([header.name, header.value]) { $0.text($1) }
    }
  }

  mutating func orNull(_ text: String?) {
    if let text { self.text(text) } else { null() }
  }

  private mutating func member(_ start: StaticString, _ text: String) {
    raw(start)
    self.text(text)
    raw("}")
  }

  private mutating func member(_ name: StaticString, _ handle: Int, _ limit: Int) {
    raw(name)
    raw("{\"handle\":")
    integer(Int64(handle))
    raw(",\"limit\":")
    integer(Int64(limit))
    raw("}")
  }

  private mutating func member(_ name: StaticString, _ handle: Int, _ statement: SQLStatement) {
    raw(name)
    raw("{\"handle\":")
    integer(Int64(handle))
    raw(",\"sql\":")
    text(statement.sql)
    raw(",\"positional\":")
    list(statement.positional) { $0.value($1) }
    raw(",\"named\":")
    list(statement.named.sorted { $0.key < $1.key }) { writer, entry in
      writer.raw("[")
      writer.text(entry.key)
      writer.raw(",")
      writer.value(entry.value)
      writer.raw("]")
    }
    raw("}")
  }

  /// Blobs and numbers that JSON has no name for are objects.
  private mutating func value(_ value: SQLValue) {
    switch value {
    case .null: null()
    case .integer(let integer): self.integer(integer)
    case .real(let real) where real.isFinite: self.real(real)
    case .real(let real):
      raw("{\"real\":")
      text(real.description)
      raw("}")
    case .text(let text): self.text(text)
    case .blob(let bytes):
      raw("{\"base64\":")
      bytes.withUnsafeBytes { base64($0) }
      raw("}")
    }
  }
}
