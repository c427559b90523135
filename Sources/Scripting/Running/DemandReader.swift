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
}
