import Reports
import Scripting

extension TelemetrySample {
  /// The counts of a workflow now.
  init(_ workflow: Workflow, _ memory: MemoryGauge) {
    self.init()
    statistics = workflow.statistics
    expected = workflow.total
    missing = workflow.coverage.missing
    hosts = workflow.hosts
    self.memory = memory.resident
    processor = memory.processor
  }
}
