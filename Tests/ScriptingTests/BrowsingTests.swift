import Items
import Paging
import Scripting
import Testing

@Suite struct BrowsingTests {
  /// A script that a person browses; what it asks for is answered at once.
  private final class Reading {
    let workflow: Workflow
    var began: [FetchRequest] = []
    private var now = Instant.zero

    init(_ script: String, maxItems: Int = 10_000) throws {
      var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/")
      var browse = BrowseOptions()
      browse.maxItems = maxItems
      var note: (FetchRequest) -> Void = { _ in }
      browse.began = { request, _ in note(request) }
      options.browse = browse
      workflow = try Workflow(text: script, options: options)
      note = { [unowned self] in began.append($0) }
      tell(.started)
    }

    func want(_ request: BrowseRequest) {
      workflow.browse(request)
      tell(.woke)
    }

    func see(_ range: Range<Int>) {
      want(.move(Viewport(firstVisible: range.lowerBound, lastVisible: range.upperBound - 1)))
    }

    private func tell(_ event: ProgramEvent) {
      var events = [event]
      while !events.isEmpty {
        now = now + .milliseconds(1)
        for effect in workflow.handle(events.removeFirst(), at: now) {
          if case .call(let id, _) = effect { events.append(.replied(id, .done)) }
        }
      }
    }
  }

  private static let numbers = """
    local source = lookahead.source { name = "numbers", keys = "offset", pageSize = 10, policy = "onDemand" }
    function source.fetch(context)
      local items = {}
      for id = context.key + 1, math.min(context.key + context.size, 500) do items[#items + 1] = { id = id } end
      return { items = items, total = 500 }
    end
    return source
    """

  @Test func `what is looked at is fetched, and nothing before somebody looks`() throws {
    let reading = try Reading(Self.numbers)
    #expect(reading.began.isEmpty && reading.workflow.browsedList?.items.isEmpty == true)

    reading.see(0..<5)

    #expect(reading.workflow.browsedList?[4]?.id == .integer(5))
    #expect(reading.workflow.browsedList?.total == 500)
    #expect(reading.began.first?.key == .integer(0))
  }

  @Test func `another policy decides from then on`() throws {
    let reading = try Reading(Self.numbers)
    reading.see(0..<5)
    let before = reading.began.count

    reading.want(.policy(try BuiltInPolicies.policy("everything")))

    #expect(reading.workflow.browsedList?.items.count == 500)
    #expect(reading.began.count > before)
  }

  @Test func `no more is held than may be`() throws {
    let reading = try Reading(Self.numbers, maxItems: 40)
    for first in stride(from: 0, to: 490, by: 5) { reading.see(first..<first + 5) }

    let list = try #require(reading.workflow.browsedList)

    #expect(list.items.count <= 60)
    #expect(list[485]?.id == .integer(486))
  }

  @Test func `a failure is for the person, and the run goes on`() throws {
    let reading = try Reading(
      """
      local isBroken = true
      local source = lookahead.source { name = "broken", retries = 0 }
      function source.fetch(context)
        if isBroken then isBroken = false error("no shelf") end
        return { items = { { id = 1 } } }
      end
      return source
      """)
    reading.see(0..<5)
    #expect(reading.workflow.browsedList?.failure?.message.contains("no shelf") == true)
    #expect(reading.workflow.failure == nil)

    reading.want(.retry)

    #expect(reading.workflow.browsedList?[0]?.id == .integer(1))
    reading.want(.leave)
    #expect(reading.workflow.browsedList == nil && reading.workflow.failure == nil)
  }
}
