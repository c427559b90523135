/// A library function, or a method of one of its objects.
public struct APIFunction: Sendable {
  public let signature: APISignature
  /// Other signatures, such as `fun(first: type): type`.
  public let overloads: [String]
  /// Whether it may suspend the script's coroutine.
  public let waits: Bool
  public let capability: APICapability?
  /// What it does, in one sentence.
  public let summary: String
  /// Further details; may be empty.
  public let details: String
  /// A script that uses it; empty if the summary suffices.
  public let example: String
  /// The first version that has it.
  public let since: String

  /// Parses the signature, such as `get(url: string, options?: RequestOptions): Response`.
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
