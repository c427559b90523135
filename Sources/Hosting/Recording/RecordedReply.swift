import Items
import JSON
import Paging

extension JSONWriter {
  /// The reply as an object with one member, named after its kind.
  mutating func reply(_ reply: HostReply) {
    object { json in
      switch reply {
      case .done: json.member("done", true)
      case .response(let response): json.member(response)
      case .bytes(let bytes): json.member("bytes", bytes)
      case .lines(let lines, let isEnd):
        json.member("lines") {
          $0.member("lines", lines) { $0.contents($1) }
          $0.member("isEnd", isEnd)
        }
      case .rows(let rows, let isEnd):
        json.member("rows") {
          $0.member("rows", rows.text)
          $0.member("isEnd", isEnd)
        }
      case .page(let page):
        json.member("page") {
          $0.member("elements", page.elements.text)
          $0.member("start", Int(page.start))
          if let next = page.next { $0.member(next, "next") }
        }
      case .handle(let handle): json.member("handle", handle)
      case .count(let count): json.member("count", count)
      case .flag(let flag): json.member("flag", flag)
      case .names(let names):
        json.member("names", names) { $0.text($1) }
      case .text(let text): json.member("text", text)
      case .begun(let reading): json.member(reading)
      case .step(let step):
        json.member("step") {
          $0.member("id", step.id)
          if let result = step.result { $0.member("result", result) }
        }
      case .failed(let failure): json.member(failure)
      }
    }
  }

  private mutating func member(_ response: HTTPResponse) {
    member("response") {
      $0.member("status", response.status)
      $0.member("url", response.url)
      $0.member("redirectURL", response.redirectURL)
      $0.member("elapsed", response.elapsed)
      $0.member("headers", response.headers)
      $0.member("body", response.body)
    }
  }

  private mutating func member(_ reading: BegunReading) {
    member("begun") {
      $0.member("id", reading.id)
      $0.member("number", reading.number)
      $0.member("items", reading.items)
      $0.member("isDone", reading.isDone)
      if reading.isOutputContinued { $0.member("isOutputContinued", true) }
      if let position = reading.position { $0.member("position", position) }
      $0.member("known", reading.known)
      $0.member("boundary", reading.boundary)
      $0.member("newBoundary", reading.newBoundary)
      if let bookmark = reading.bookmark { $0.member("bookmark", bookmark) }
      if let limit = reading.bookmarkLimit { $0.member("bookmarkLimit", limit) }
      if let bookmark = reading.newBookmark { $0.member("newBookmark", bookmark) }
    }
  }

  private mutating func member(_ name: String, _ ids: KnownIDs) {
    guard !ids.isEmpty else { return }
    member(name) { json in
      json.key("base64")
      ids.bytes.withUnsafeBytes { json.base64($0) }
    }
  }

  private mutating func member(_ failure: HostFailure) {
    member("failed") {
      $0.member("code", failure.code.rawValue)
      $0.member("message", failure.message)
      $0.member("needs", failure.needs)
      $0.member("isTransient", failure.isTransient)
      $0.key("retryAfter")
      if let wait = failure.retryAfter { $0.seconds(wait) } else { $0.null() }
      $0.key("status")
      if let status = failure.status { $0.integer(Int64(status)) } else { $0.null() }
      if failure.isUnsent { $0.member("isUnsent", true) }
      if failure.isStale { $0.member("isStale", true) }
    }
  }
}

extension HostReply {
  /// Parses what `JSONWriter.reply` writes.
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
      return .rows(IndexedJSON(try inner.bytes("rows")), isEnd: try inner.boolean("isEnd"))
    },
    "page": { fields throws(LineFault) in
      let inner = try fields.fields("page")
      return .page(
        FilePage(
          elements: try inner.bytes("elements"),
          start: inner.has("start") ? Int64(try inner.integer("start")) : 0,
          next: try FilePlace.ifAny("next", in: inner)))
    },
    "handle": { fields throws(LineFault) in .handle(try fields.integer("handle")) },
    "count": { fields throws(LineFault) in .count(try fields.integer("count")) },
    "flag": { fields throws(LineFault) in .flag(try fields.boolean("flag")) },
    "names": { fields throws(LineFault) in .names(try fields.list("names", of: "a text") { $0.text }) },
    "text": { fields throws(LineFault) in .text(try fields.textIfAny("text")) },
    "step": { fields throws(LineFault) in
      let inner = try fields.fields("step")
      return .step(BegunStep(id: try inner.integer("id"), result: try inner.bytesIfAny("result")))
    },
    "begun": { fields throws(LineFault) in .begun(try BegunReading(try fields.fields("begun"))) },
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

extension BegunReading {
  init(_ fields: RecordedFields) throws(LineFault) {
    self.init(id: try fields.integer("id"))
    number = try fields.integer("number")
    items = try fields.integer("items")
    isDone = try fields.boolean("isDone")
    isOutputContinued = try fields.booleanIfAny("isOutputContinued") ?? false
    if fields.has("position") { position = try Position(try fields.fields("position")) }
    if let bytes = try fields.bytesIfAny("known") { known = KnownIDs(IDList(bytes)) }
    if let bytes = try fields.bytesIfAny("boundary") { boundary = KnownIDs(IDList(bytes)) }
    if let bytes = try fields.bytesIfAny("newBoundary") { newBoundary = KnownIDs(IDList(bytes)) }
    bookmark = try fields.bytesIfAny("bookmark")
    bookmarkLimit = try fields.bytesIfAny("bookmarkLimit")
    newBookmark = try fields.bytesIfAny("newBookmark")
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
    isStale = try fields.booleanIfAny("isStale") ?? false
  }
}

extension JSONWriter {
  /// A place in a file, as a member of that name.
  mutating func member(_ place: FilePlace, _ name: String) {
    member(name) {
      $0.member("offset", Int(place.offset))
      $0.member("size", Int(place.size))
      $0.member("changed", Int(place.changed))
    }
  }
}

extension FilePlace {
  /// Parses what `JSONWriter.member` writes; nil if there is no member of that name.
  static func ifAny(_ name: String, in fields: RecordedFields) throws(LineFault) -> FilePlace? {
    guard fields.has(name) else { return nil }
    let place = try fields.fields(name)
    return FilePlace(
      offset: Int64(try place.integer("offset")), size: Int64(try place.integer("size")),
      changed: Int64(try place.integer("changed")))
  }
}
