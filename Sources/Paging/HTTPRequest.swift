public import Items

/// One HTTP header line; names compare without regard to case.
public struct HTTPHeader: Sendable, Equatable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// The value of the first header of that name, whatever its case.
  public subscript(name: String) -> String? {
    let lowered = name.lowercased()
    return first { $0.name.lowercased() == lowered }?.value
  }
}

/// One attempt at an HTTP exchange. Redirects and retries are decisions above it, each a request of its own.
public struct HTTPRequest: Sendable, Equatable {
  /// In capitals, as `GET`.
  public var method: String
  /// Absolute, `http` or `https`.
  public var url: String
  public var headers: [HTTPHeader]
  public var body: Bytes?
  /// For the whole exchange, from connecting to the last byte.
  public var timeout: Duration
  /// The largest body accepted, in bytes after decompression.
  public var maxBody: Int
  /// Whoever asks says that it may be sent twice, whatever its method.
  public var isRepeatable = false

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
}

/// What came back for one attempt.
public struct HTTPResponse: Sendable, Equatable {
  public var status: Int
  /// In the order in which they came, names as sent.
  public var headers: [HTTPHeader]
  /// Decompressed; with `Bytes.wantedPadding` readable bytes after it.
  public var body: Bytes
  public var url: String
  /// Where a 3xx answer points, made absolute; nil when there is nowhere to go.
  public var redirectURL: String?
  /// From the moment the request was handed over to the last byte.
  public var elapsed: Duration

  public init(
    status: Int, headers: [HTTPHeader] = [], body: Bytes = .empty, url: String,
    redirectURL: String? = nil, elapsed: Duration = .zero
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.redirectURL = redirectURL
    self.elapsed = elapsed
  }
}
