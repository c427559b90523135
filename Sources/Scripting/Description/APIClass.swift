/// A kind of table or object: what scripts write into it, or read from it.
public struct APIClass: Sendable {
  /// Who makes values of the class.
  public enum Role: Sendable {
    /// Scripts write such tables; unknown keys are mistakes.
    case keys
    /// The host makes them.
    case object
  }

  /// As in types: `Source`; in editors it is `lookahead.Source`.
  public let name: String
  /// What scripts call one of it, as `source`; the name of its call for tables of keys, as `lookahead.source`.
  public let word: String
  public let role: Role
  /// The class whose fields it has too.
  public let parent: String?
  public let summary: String
  /// What one sentence cannot say; empty where it can.
  public let details: String
  public let fields: [APIField]
  public let methods: [APIFunction]
  /// The type of what `object[key]` gives, with the type of the key, as `[integer]: any`; empty where there is none.
  public let subscriptText: String

  init(
    _ name: String, _ word: String, _ role: Role, parent: String? = nil, _ summary: String,
    details: String = "",
    fields: [APIField] = [], methods: [APIFunction] = [], subscriptText: String = ""
  ) {
    self.name = name
    self.word = word
    self.role = role
    self.parent = parent
    self.summary = summary
    self.details = details
    self.fields = fields
    self.methods = methods
    self.subscriptText = subscriptText
  }
}
