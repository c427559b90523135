import Paging

/// An item set on demand, and the tasks that wait for its pages.
final class DemandReader: Reader {
  var set: DemandSet
  /// Tasks that wait, by the ticket of their page.
  var waiting: [DemandTicket: [Waiter]] = [:]

  struct Waiter {
    let task: ScriptTask
    /// Whether it asked first, and so tells the callbacks.
    let isStarter: Bool
  }

  override init(id: Int, definition: SourceDefinition) {
    set = DemandSet(configuration: definition.configuration)
    super.init(id: id, definition: definition)
  }

  override func tell(_ news: News, in workflow: Workflow) {
    workflow.tell(self) { set in
      switch news {
      case .appended(let id, let items, let received): set.appended(id, items, received: received)
      case .answered(let id, let answer): set.answered(id, answer, at: workflow.now)
      case .woke: set.woke(at: workflow.now)
      }
    }
  }
}
