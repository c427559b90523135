/// A function of the library, or a method of one of its objects.
public struct APIFunction: Sendable {
  public let signature: APISignature
  /// Other ways of calling it, as `fun(first: type): type`.
  public let overloads: [String]
  /// It may suspend the script's coroutine.
  public let waits: Bool
  public let capability: APICapability?
  /// One sentence: what it does.
  public let summary: String
  /// What one sentence cannot say; empty where it can.
  public let details: String
  /// A script that uses it; empty where the summary is enough.
  public let example: String
  /// The version that had it first.
  public let since: String

  /// Reads the signature, as `get(url: string, options?: RequestOptions): Response`.
  init(
    _ signature: String, waits: Bool = false, needs capability: APICapability? = nil, _ summary: String,
    details: String = "", overloads: [String] = [], example: String = "", since: String = "0.1"
  ) {
    self.signature = APISignature(signature)
    self.overloads = overloads
    self.waits = waits || capability != nil
    self.capability = capability
    self.summary = summary
    self.details = details
    self.example = example
    self.since = since
  }

  public var name: String { signature.name }
}
