/// Reads `name`, `name(argument, …)`, where an argument is a number or another policy.
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
    guard consume("(") else { return call }
    if consume(")") { return call }
    repeat { call.arguments.append(try argument()) } while consume(",")
    guard consume(")") else { throw error(expected: "`,` or `)`") }
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

  private mutating func consume(_ mark: Character) -> Bool {
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

/// A text that is not a valid policy.
public struct PolicyTextError: Error, Sendable, Hashable {
  /// What is wrong with it.
  public enum Problem: Sendable, Hashable {
    case unknownName(known: [String])
    /// Offset in characters, from 0.
    case syntax(expected: String, offset: Int)
    case arguments(expected: String)
  }

  /// The text, or the name in it that is at fault.
  public let text: String
  /// What is wrong, and what was expected.
  public let problem: Problem

  public init(text: String, problem: Problem) {
    self.text = text
    self.problem = problem
  }
}

extension PolicyCall {
  /// One number, or none if there is a default.
  func number(default value: Double?, atLeast least: Double) throws(PolicyTextError) -> Double? {
    guard !arguments.isEmpty else { return value }
    guard arguments.count == 1, case .number(let number) = arguments[0], number >= least else {
      throw mistake("one number from \(least) on")
    }
    return number
  }

  func required(atLeast least: Double) throws(PolicyTextError) -> Double {
    guard let number = try number(default: nil, atLeast: least) else {
      throw mistake("one number from \(least) on")
    }
    return number
  }

  /// One integer from 1.
  func count(default value: Int?) throws(PolicyTextError) -> Int {
    if arguments.isEmpty, let value { return value }
    guard let number = try number(default: nil, atLeast: 1), number <= 1e9, number == number.rounded() else {
      throw mistake("one whole number from 1 on")
    }
    return Int(number)
  }

  func alone(_ policy: any FetchPolicy) throws(PolicyTextError) -> any FetchPolicy {
    guard arguments.isEmpty else { throw mistake("no arguments") }
    return policy
  }

  /// Only policies, at least one.
  func members() throws(PolicyTextError) -> [any FetchPolicy] {
    guard !arguments.isEmpty else { throw mistake("at least one policy") }
    var members: [any FetchPolicy] = []
    for argument in arguments {
      guard case .policy(let call) = argument else { throw mistake("policies only") }
      members.append(try BuiltInPolicies.policy(call))
    }
    return members
  }

  func pair(
    _ make: (any FetchPolicy, any FetchPolicy) -> any FetchPolicy
  ) throws(PolicyTextError) -> any FetchPolicy {
    let members = try members()
    guard members.count == 2 else { throw mistake("two policies") }
    return make(members[0], members[1])
  }

  func withNumber(
    atLeast least: Double, _ make: (any FetchPolicy, Double) -> any FetchPolicy
  ) throws(PolicyTextError) -> any FetchPolicy {
    guard arguments.count == 2, case .policy(let call) = arguments[0],
      case .number(let number) = arguments[1], number >= least
    else { throw mistake("a policy and a number from \(least) on") }
    return make(try BuiltInPolicies.policy(call), number)
  }

  private func mistake(_ expected: String) -> PolicyTextError {
    PolicyTextError(text: name, problem: .arguments(expected: expected))
  }
}
