import Reports
import Scripting

extension TelemetrySample {
  /// The counts of a workflow now.
  init(_ workflow: Workflow, _ memory: MemoryGauge) {
    self.init()
    let statistics = workflow.statistics
    items = statistics.items
    itemsPerStream = statistics.itemsPerStream
    expected = workflow.total
    missing = workflow.coverage.missing
    removals = statistics.removals
    refreshes = statistics.refreshes
    pages = statistics.pages
    requests = statistics.requests
    retries = statistics.retries
    duplicates = statistics.duplicates
    bytesReceived = statistics.bytesReceived
    stalls = statistics.stalls
    pagesInFlight = statistics.inFlight
    hosts = workflow.hosts
    self.memory = memory.resident
    processor = memory.processor
  }
}
