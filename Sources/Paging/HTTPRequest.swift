public import Items

/// One HTTP header line; names are case-insensitive.
public struct HTTPHeader: Sendable, Equatable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// The value of the first header with this name, ignoring case.
  public subscript(name: String) -> String? {
    first { $0.name.isSame(ignoringCaseAs: name) }?.value
  }
}

extension String {
  /// Whether both are the same but for the case of ASCII letters, of which header names consist.
  public func isSame(ignoringCaseAs other: String) -> Bool {
    func lowered(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
    return utf8.elementsEqual(other.utf8) { lowered($0) == lowered($1) }
  }
}

/// One attempt at an HTTP exchange. Redirects and retries are decided by the gate, each a request of its own.
///
/// ```swift
/// let request = HTTPRequest(url: "https://example.com/items")
/// ```
public struct HTTPRequest: Sendable, Equatable {
  /// In upper case, such as `GET`.
  public var method: String
  /// Absolute, `http` or `https`.
  public var url: String
  public var headers: [HTTPHeader]
  public var body: Bytes?
  /// For the whole exchange, from connecting to the last byte.
  public var timeout: Duration
  /// The largest body accepted, in bytes after decompression.
  public var maxBody: Int
  /// Whether the caller allows sending it twice, whatever its method; nil where the method tells.
  public var isRepeatable: Bool?
  /// Whether the answer is likely to be read as JSON: it may then be parsed where it arrives.
  public var expectsJSON = false

  public init(
    method: String = "GET", url: String, headers: [HTTPHeader] = [], body: Bytes? = nil,
    timeout: Duration = .seconds(30), maxBody: Int = 256 << 20
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.maxBody = maxBody
  }

  /// Whether it can safely be sent twice.
  public var isIdempotent: Bool {
    isRepeatable ?? ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method)
  }
}

/// The response to one attempt.
public struct HTTPResponse: Sendable, Equatable {
  public var status: Int
  /// In order of arrival, names as sent.
  public var headers: [HTTPHeader]
  /// The body as JSON, which it may not be; its index is there where it was parsed on its way.
  public var json: IndexedJSON
  public var url: String
  /// The absolute target of a 3xx response; nil if there is none.
  public var redirectURL: String?
  /// From handing over the request to the last byte.
  public var elapsed: Duration

  public init(
    status: Int, headers: [HTTPHeader] = [], body: Bytes = .empty, url: String,
    redirectURL: String? = nil, elapsed: Duration = .zero
  ) {
    self.status = status
    self.headers = headers
    json = IndexedJSON(body)
    self.url = url
    self.redirectURL = redirectURL
    self.elapsed = elapsed
  }

  /// Decompressed; with `Bytes.wantedPadding` readable bytes after it.
  public var body: Bytes {
    get { json.text }
    set { json = IndexedJSON(newValue) }
  }
}
