public import Items

/// A partition of a source that a script returned: enough to read it in another Lua state that ran the same script.
public struct Partition: Sendable, Equatable {
  /// The source's name.
  public let source: String
  /// The stream that its items go to; nil is the only one.
  public let stream: String?
  /// What the source is read with, a JSON object; empty where JSON can't carry it.
  public let parameters: Bytes
  /// Which part of the source that is, as `ReadingRequest.partition`; empty where nobody asked.
  public let text: String

  public init(source: String, stream: String?, parameters: Bytes, text: String = "") {
    self.source = source
    self.stream = stream
    self.parameters = parameters
    self.text = text
  }
}
