import ArgumentParser
import Paging
import Scripting

/// The policies a browsing user can cycle through; the first is the source's own.
struct PolicyChoice {
  static let own = "of the source"
  private static let names = [
    own, "leadingScreens(1)", "leadingScreens(5)", "remainingTime(1)", "ramp", "majority", "everything",
    "onDemand",
  ]
  private(set) var name = own

  /// The next one.
  mutating func next() -> (any FetchPolicy)? {
    let index = Self.names.firstIndex(of: name).map { ($0 + 1) % Self.names.count } ?? 0
    name = Self.names[index]
    return try? BuiltInPolicies.policy(name)
  }

  /// The one of that text.
  mutating func choose(_ text: String) throws(PolicyTextError) -> any FetchPolicy {
    let policy = try BuiltInPolicies.policy(text)
    name = text
    return policy
  }

  /// Validates a policy given on the command line.
  static func validated(_ text: String) throws(ValidationError) -> any FetchPolicy {
    do throws(PolicyTextError) {
      return try BuiltInPolicies.policy(text)
    } catch {
      throw ValidationError("--policy \(text): \(words(error))")
    }
  }

  static func words(_ error: PolicyTextError) -> String {
    switch error.problem {
    case .unknownName(let known): "there is no such policy\(NearestName.hint(error.text, in: known))"
    case .syntax(let expected, _), .arguments(let expected): "expected \(expected)"
    }
  }
}
