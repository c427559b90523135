import Testing

/// One line of a script and the error that it is to end with.
struct ScriptCase: Decodable, Sendable, CustomTestStringConvertible {
  let script: String
  let message: String

  var testDescription: String { script }
}
