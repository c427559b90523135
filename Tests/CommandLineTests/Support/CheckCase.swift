import Foundation
import Testing

/// A script, and what a check says of it.
struct CheckCase: Decodable, CustomTestStringConvertible, Sendable {
  let name: String
  /// The lines of the script.
  let script: [String]
  let exit: Int32
  /// Lines on standard error.
  let says: [String]

  var testDescription: String { name }

  static let wrong: [CheckCase] = cases("check-wrong")
  static let right: [CheckCase] = cases("check-right")

  /// Checks it as `feed.lua`.
  func result() throws -> CommandResult {
    try Scratch(script: script.joined(separator: "\n") + "\n").lookahead("check", "feed.lua")
  }
}

/// A finding as `--format json` writes it.
struct CheckFinding: Decodable {
  let file: String
  let line: Int
  let column: Int?
  let severity: String
  let rule: String
  let message: String
}
