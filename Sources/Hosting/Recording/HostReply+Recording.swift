import Items
import Paging

extension JSONWriter {
  /// The reply as an object with one member, whose name is its kind.
  mutating func reply(_ reply: HostReply) {
    raw("{")
    switch reply {
    case .done: raw("\"done\":true")
    case .response(let response): member(response)
    case .bytes(let bytes):
      raw("\"bytes\":")
      contents(bytes)
    case .lines(let lines, let isEnd):
      raw("\"lines\":{\"lines\":")
      list(lines) { $0.contents($1) }
      end(isEnd)
    case .rows(let rows, let isEnd):
      raw("\"rows\":{\"rows\":")
      contents(rows)
      end(isEnd)
    case .handle(let handle):
      raw("\"handle\":")
      integer(Int64(handle))
    case .count(let count):
      raw("\"count\":")
      integer(Int64(count))
    case .flag(let flag):
      raw("\"flag\":")
      boolean(flag)
    case .names(let names):
      raw("\"names\":")
      list(names) { $0.text($1) }
    case .text(let text):
      raw("\"text\":")
      orNull(text)
    case .failed(let failure): member(failure)
    }
    raw("}")
  }

  private mutating func end(_ isEnd: Bool) {
    raw(",\"isEnd\":")
    boolean(isEnd)
    raw("}")
  }

  private mutating func member(_ response: HTTPResponse) {
    raw("\"response\":{\"status\":")
    integer(Int64(response.status))
    raw(",\"url\":")
    text(response.url)
    raw(",\"redirectURL\":")
    orNull(response.redirectURL)
    raw(",\"elapsed\":")
    seconds(response.elapsed)
    raw(",\"headers\":")
    headers(response.headers)
    raw(",\"body\":")
    contents(response.body)
    raw("}")
  }

  private mutating func member(_ failure: HostFailure) {
    raw("\"failed\":{\"code\":")
    text(failure.code.rawValue)
    raw(",\"message\":")
    text(failure.message)
    raw(",\"needs\":")
    orNull(failure.needs)
    raw(",\"isTransient\":")
    boolean(failure.isTransient)
    raw(",\"retryAfter\":")
    if let wait = failure.retryAfter { seconds(wait) } else { null() }
    raw(",\"status\":")
    if let status = failure.status { integer(Int64(status)) } else { null() }
    if failure.isUnsent { raw(",\"isUnsent\":true") }
    raw("}")
  }
}

extension HostReply {
  /// Reads what `JSONWriter.reply` writes.
  init(_ fields: RecordedFields) throws(LineFault) {
    guard let name = fields.all.first?.name, let read = HostReply.readers[name] else {
      throw LineFault(expected: "a reply, as 'response' or 'done'", got: fields.all.first?.name ?? "none")
    }
    self = try read(fields)
  }

  private typealias Reader = @Sendable (RecordedFields) throws(LineFault) -> HostReply

  private static let readers: [String: Reader] = [
    "done": { _ throws(LineFault) in .done },
    "response": { fields throws(LineFault) in .response(try HTTPResponse(try fields.fields("response"))) },
    "bytes": { fields throws(LineFault) in .bytes(try fields.bytes("bytes")) },
    "lines": { fields throws(LineFault) in
      let inner = try fields.fields("lines")
      return .lines(
        try inner.list("lines", of: "a text or base64") { Bytes($0) }, isEnd: try inner.boolean("isEnd"))
    },
    "rows": { fields throws(LineFault) in
      let inner = try fields.fields("rows")
      return .rows(try inner.bytes("rows"), isEnd: try inner.boolean("isEnd"))
    },
    "handle": { fields throws(LineFault) in .handle(try fields.integer("handle")) },
    "count": { fields throws(LineFault) in .count(try fields.integer("count")) },
    "flag": { fields throws(LineFault) in .flag(try fields.boolean("flag")) },
    "names": { fields throws(LineFault) in .names(try fields.list("names", of: "a text") { $0.text }) },
    "text": { fields throws(LineFault) in .text(try fields.textIfAny("text")) },
    "failed": { fields throws(LineFault) in .failed(try HostFailure(try fields.fields("failed"))) },
  ]
}

extension HTTPResponse {
  init(_ fields: RecordedFields) throws(LineFault) {
    self.init(
      status: try fields.integer("status"), headers: try fields.headers("headers"),
      body: try fields.bytes("body"), url: try fields.text("url"),
      redirectURL: try fields.textIfAny("redirectURL"), elapsed: try fields.duration("elapsed"))
  }
}

extension HostFailure {
  init(_ fields: RecordedFields) throws(LineFault) {
    guard let code = Code(rawValue: try fields.text("code")) else {
      throw LineFault(expected: "a code of a failure that is known", got: try fields.text("code"))
    }
    self.init(
      code, try fields.text("message"), needs: try fields.textIfAny("needs"),
      isTransient: try fields.boolean("isTransient"), retryAfter: try fields.durationIfAny("retryAfter"),
      status: try fields.integerIfAny("status"))
    isUnsent = try fields.booleanIfAny("isUnsent") ?? false
  }
}
