/// A kind of table or object: what scripts write into it or read from it.
public struct APIClass: Sendable {
  /// Who creates values of the class.
  public enum Role: Sendable {
    /// Scripts write such tables; unknown keys are errors.
    case keys
    /// The host creates them.
    case object
  }

  /// As in types: `Source`; for editors, `lookahead.Source`.
  public let name: String
  /// The scripts' name for an instance, such as `source`; for tables of keys, the name of the call, such as
  /// `lookahead.source`.
  public let word: String
  public let role: Role
  /// The parent class, whose fields it inherits.
  public let parent: String?
  public let summary: String
  /// Further details; may be empty.
  public let details: String
  public let fields: [APIField]
  public let methods: [APIFunction]
  /// The types of `object[key]` and its key, such as `[integer]: any`; empty if there is none.
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
