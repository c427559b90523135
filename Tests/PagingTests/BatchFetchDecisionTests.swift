import Paging
import Testing

extension BatchFetchCase: CustomTestStringConvertible {
  var testDescription: String { `case` }
}

@Suite struct BatchFetchDecisionTests {
  @Test(arguments: cases("ASBatchFetchingTests") + cases("BatchFetchingDerived") as [BatchFetchCase])
  func `decides as upstream does`(_ example: BatchFetchCase) {
    var asked: (time: Double, hint: Bool)?
    let delegate = example.inputs.delegate.map { answer in
      { (time: Double, hint: Bool) -> Bool in
        asked = (time, hint)
        return answer
      }
    }

    let decision = shouldFetchBatch(example.state, delegate: delegate)

    #expect(decision.shouldFetch == example.expected.should_fetch)
    if let wasCalled = example.expected.delegate_called { #expect((asked != nil) == wasCalled) }
    if let time = example.expected.delegate_remaining_time { #expect(abs(asked!.time - time) < 1e-12) }
    if let hint = example.expected.delegate_hint { #expect(asked?.hint == hint) }
  }

  @Test func `the first rule that answers gives the reason`() {
    var state = ScrollState()
    state.bounds = Extent(width: 10, height: 10)
    state.contentSize = Extent(width: 10, height: 100)
    #expect(shouldFetchBatch(state) == BatchFetchDecision(false, .beyondTrigger))

    state.targetOffset.height = 90
    #expect(shouldFetchBatch(state) == BatchFetchDecision(true, .withinTrigger))
    state.velocity.height = 1
    #expect(shouldFetchBatch(state) { _, _ in false } == BatchFetchDecision(false, .delegateNo))
    #expect(shouldFetchBatch(state) { _, _ in true } == BatchFetchDecision(true, .delegateYes))
    state.scrollDirection = .up
    #expect(shouldFetchBatch(state) == BatchFetchDecision(false, .towardsHead))
    state.isVisible = false
    #expect(shouldFetchBatch(state) == BatchFetchDecision(false, .invisible))
    state.contentSize.height = 9
    #expect(shouldFetchBatch(state) == BatchFetchDecision(true, .smallContent))
    state.bounds.width = 0
    #expect(shouldFetchBatch(state) == BatchFetchDecision(false, .emptyBounds))
    state.leadingScreens = 0
    #expect(shouldFetchBatch(state) == BatchFetchDecision(false, .noLeadingScreens))
    state.isFetching = true
    #expect(shouldFetchBatch(state) == BatchFetchDecision(false, .alreadyFetching))
  }

  @Test func `reasons are numbered in the order of the rules`() {
    let rules = BatchFetchReason.allCases.map(\.rule)

    #expect(rules == rules.sorted())
    #expect(Set(BatchFetchReason.allCases.map(\.explanation)).count == BatchFetchReason.allCases.count)
  }
}
