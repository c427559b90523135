import Testing

/// Answers of a server, and what `lookahead get` is to make of them.
struct GetAnswerCase: Decodable, CustomTestStringConvertible {
  let name: String
  /// The query of the URL.
  var query: String?
  var options: [String]?
  let exit: Int32
  /// The ids of the items that are written, in order.
  let ids: [Int]
  /// Texts among the messages.
  var says: [String]?

  var testDescription: String { name }

  static let all: [GetAnswerCase] = cases("get-answers")
}
