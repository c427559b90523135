import Items
import Paging

extension RecordedCall {
  /// The member of the line that is a call, whatever else the line has.
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
    "emit": { fields throws(LineFault) in
      .emit(
        stream: try fields.textIfAny("stream"), items: try fields.integer("items"),
        bytes: try fields.integer("bytes"))
    },
    "readFile": { fields throws(LineFault) in .call(.readFile(path: try fields.text("path"))) },
    "writeFile": { fields throws(LineFault) in
      .call(.writeFile(path: try fields.text("path"), contents: try fields.bytes("contents")))
    },
    "fileExists": { fields throws(LineFault) in .call(.fileExists(path: try fields.text("path"))) },
    "listFiles": { fields throws(LineFault) in .call(.listFiles(path: try fields.text("path"))) },
    "openLines": { fields throws(LineFault) in .call(.openLines(path: try fields.text("path"))) },
    "nextLines": { fields throws(LineFault) in
      .call(.nextLines(handle: try fields.integer("handle"), limit: try fields.integer("limit")))
    },
    "openDatabase": { fields throws(LineFault) in
      .call(.openDatabase(path: try fields.text("path"), isReadOnly: try fields.boolean("isReadOnly")))
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
    case .boolean, .list: return nil
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
