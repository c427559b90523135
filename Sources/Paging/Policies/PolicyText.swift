/// Reads `name`, `name(argument, …)`, where an argument is a number or such a text.
struct PolicyText {
  private let text: String
  private var rest: Substring
  private var depth = 0

  init(_ text: String) {
    self.text = text
    rest = text[...]
  }

  mutating func parse() throws(PolicyTextError) -> PolicyCall {
    let call = try call()
    guard rest.isEmpty else { throw error(expected: "the end of the text") }
    return call
  }

  private mutating func call() throws(PolicyTextError) -> PolicyCall {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Limits.policyDepth else {
      throw error(expected: "no more than \(Limits.policyDepth) policies inside each other")
    }
    skipBlanks()
    let name = rest.prefix { $0.isLetter }
    guard !name.isEmpty else { throw error(expected: "the name of a policy") }
    rest = rest.dropFirst(name.count)
    var call = PolicyCall(name: String(name))
    guard take("(") else { return call }
    if take(")") { return call }
    repeat { call.arguments.append(try argument()) } while take(",")
    guard take(")") else { throw error(expected: "`,` or `)`") }
    return call
  }

  private mutating func argument() throws(PolicyTextError) -> PolicyCall.Argument {
    skipBlanks()
    let word = rest.prefix { $0.isNumber || ".+-e".contains($0) }
    guard let first = rest.first, !first.isLetter else { return .policy(try call()) }
    guard let number = Double(word), number.isFinite else { throw error(expected: "a number or a policy") }
    rest = rest.dropFirst(word.count)
    skipBlanks()
    return .number(number)
  }

  private mutating func take(_ mark: Character) -> Bool {
    skipBlanks()
    guard rest.first == mark else { return false }
    rest = rest.dropFirst()
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == " " } }

  private func error(expected: String) -> PolicyTextError {
    PolicyTextError(
      text: text.count > 80 ? text.prefix(80) + "…" : text,
      problem: .syntax(expected: expected, offset: text.distance(from: text.startIndex, to: rest.startIndex)))
  }
}

/// A policy's name with its arguments.
struct PolicyCall {
  enum Argument {
    case number(Double)
    case policy(PolicyCall)
  }

  var name: String
  var arguments: [Argument] = []
}

/// A text that stands for no policy.
public struct PolicyTextError: Error, Sendable, Hashable {
  /// What is wrong with it.
  public enum Problem: Sendable, Hashable {
    case unknownName(known: [String])
    /// Offset in characters, from 0.
    case syntax(expected: String, offset: Int)
    case arguments(expected: String)
  }

  /// The text, or the name in it that is concerned.
  public let text: String
  /// What was wrong, with what was expected.
  public let problem: Problem

  public init(text: String, problem: Problem) {
    self.text = text
    self.problem = problem
  }
}
