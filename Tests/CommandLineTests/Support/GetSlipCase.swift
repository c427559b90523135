import Testing

/// An answer, and options that do or do not fit it.
struct GetSlipCase: Decodable, CustomTestStringConvertible {
  let name: String
  /// The first page's body.
  let answer: String
  let options: [String]
  let exit: Int32
  /// How many items are written.
  let items: Int
  /// A text among the messages; none is no warning.
  var says: String?

  var testDescription: String { name }

  static let all: [GetSlipCase] = cases("get-slips")
}
