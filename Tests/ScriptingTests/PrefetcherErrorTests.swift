import Testing

@Suite struct PrefetcherErrorTests {
  private static let mistakes: [ScriptCase] = cases("prefetcher-errors")

  @Test(arguments: mistakes)
  func `a mistake is named with what was expected`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == example.message)
  }
}
