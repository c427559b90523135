import Paging
import Testing

@Suite struct BuiltInPoliciesTests {
  private func mistake(_ text: String) -> PolicyTextError? {
    do {
      _ = try BuiltInPolicies.policy(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "leadingScreens", "leadingScreens(3)", "leadingScreens( 0.5 )", "prefetchDistance(10)",
    "remainingTime(1.5)", "ramp",
    "ramp(16)", "majority()", "everything", "onDemand", " anyOf(onDemand, remainingTime(2)) ",
    "allOf(everything,notWhile(ramp, onDemand))", "hysteresis(leadingScreens(1), 4)", "atMost(everything, 2)",
  ])
  func `is understood`(_ text: String) {
    #expect(mistake(text) == nil)
  }

  @Test func `arguments arrive`() throws {
    let policy = try BuiltInPolicies.policy("leadingScreens(3)")

    #expect((policy as? LeadingScreens)?.screens == 3)
    #expect((try BuiltInPolicies.policy("ramp", [16]) as? Ramp)?.maxPages == 16)
  }

  @Test func `an unknown name comes with the known ones`() {
    #expect(
      mistake("leading")
        == PolicyTextError(text: "leading", problem: .unknownName(known: BuiltInPolicies.names)))
    #expect(mistake("anyOf(foo)")?.text == "foo")
  }

  @Test func `wrong arguments say what was expected`() {
    #expect(mistake("everything(1)")?.problem == .arguments(expected: "no arguments"))
    #expect(mistake("remainingTime")?.problem == .arguments(expected: "one number from 0.0 on"))
    #expect(mistake("prefetchDistance(1.5)")?.problem == .arguments(expected: "one whole number from 1 on"))
    #expect(mistake("anyOf(1)")?.problem == .arguments(expected: "policies only"))
    #expect(mistake("notWhile(ramp)")?.problem == .arguments(expected: "two policies"))
  }

  @Test func `a broken text says where`() {
    #expect(mistake("")?.problem == .syntax(expected: "the name of a policy", offset: 0))
    #expect(mistake("ramp(1")?.problem == .syntax(expected: "`,` or `)`", offset: 6))
    #expect(mistake("ramp 3")?.problem == .syntax(expected: "the end of the text", offset: 5))
    #expect(mistake("ramp(-)")?.problem == .syntax(expected: "a number or a policy", offset: 5))
  }
}
