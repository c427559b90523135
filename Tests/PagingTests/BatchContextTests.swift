import Paging
import Testing

@Suite struct BatchContextTests {
  struct Case: Decodable, CustomTestStringConvertible {
    struct Inputs: Decodable { let ops: [String] }
    struct Expected: Decodable {
      let state: String
      let is_fetching: Bool
      let was_cancelled: Bool
    }

    let `case`: String
    let inputs: Inputs
    let expected: Expected
    var testDescription: String { `case` }
  }

  @Test(arguments: cases("BatchContextStateMachine") as [Case])
  func `without tokens it behaves as upstream`(_ example: Case) {
    var context = BatchContext(isUpstreamCompatible: true)

    for operation in example.inputs.ops {
      switch operation {
      case "begin": _ = context.begin()
      case "complete_yes": context.complete(true)
      case "complete_no": context.complete(false)
      default: context.cancel()
      }
    }

    #expect(context.state.rawValue == example.expected.state)
    #expect(context.isFetching == example.expected.is_fetching)
    #expect(context.wasCancelled == example.expected.was_cancelled)
  }

  @Test func `upstream lets a late completion end a newer fetch`() {
    var context = BatchContext(isUpstreamCompatible: true)
    let first = context.begin()
    context.cancel()
    _ = context.begin()

    context.complete(true, token: first)

    #expect(!context.isFetching)
  }

  @Test func `a token of an earlier fetch changes nothing`() {
    var context = BatchContext()
    let first = context.begin()
    context.cancel(token: first)
    _ = context.begin()

    let didCount = context.complete(true, token: first)

    #expect(!didCount)
    #expect(context.isFetching)
    #expect(context.staleCalls == 1)
  }

  @Test func `a token works once`() {
    var context = BatchContext()
    let token = context.begin()

    let didComplete = context.complete(true, token: token)
    let didCancel = context.cancel(token: token)

    #expect(didComplete)
    #expect(!didCancel)
    #expect(context.state == .completed)
  }

  @Test func `completing without more is the end and not a stall`() {
    var context = BatchContext()
    let token = context.begin()

    context.complete(false, token: token)

    #expect(!context.isFetching)
    #expect(context.isFinished)
  }

  @Test func `a failure says when to try again, and the next fetch forgets it`() {
    var context = BatchContext()
    let token = context.begin()

    context.fail(retryAfter: .seconds(3), token: token)
    #expect(context.retryAfter == .seconds(3))
    #expect(!context.isFetching)

    _ = context.begin()
    #expect(context.retryAfter == nil)
  }
}
