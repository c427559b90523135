import Paging

/// The part of a sink that writes; used only on the sink's thread.
protocol SinkWriter: AnyObject {
  /// Bytes written, as in `SinkReport.bytes`.
  var bytes: Int { get }

  /// Begins a reading, or goes on with one.
  func begin(_ request: ReadingRequest) throws(SinkError) -> BegunReading

  /// Begins a step of a workflow, or says that it has ended.
  func begin(step key: String, _ parameters: String) throws(SinkError) -> BegunStep

  /// Writes one delivery, or nothing of it.
  func write(_ delivery: Delivery) throws(SinkError)

  /// When what the last `commit` kept back, to commit more at once, is committed at the latest; nil if there is nothing.
  var dueAt: ContinuousClock.Instant? { get }

  /// Ends a group of deliveries: on return, others see it, and a kill does not undo it, unless it is kept back for a while.
  func commit() throws(SinkError)

  /// Makes everything written, and all that follows, visible to others: the first reading is complete.
  func publish() throws(SinkError)

  /// A partition is not read any further for now.
  func leave(partition id: String) throws(SinkError)

  /// Completes and releases the output; unless the ending is `whole`, the previous contents stay.
  func close(_ ending: SinkEnding) throws(SinkError)

  /// Items of this run that wait until they may be seen, by stream: nobody finds them in the output.
  var waitingItems: [String: Int] { get }

  /// What was removed, or is only in the output.
  var changes: SinkChanges { get }

  /// The state of the output, once closed.
  var remains: SinkRemains { get }
}

extension SinkWriter {
  var dueAt: ContinuousClock.Instant? { nil }

  var waitingItems: [String: Int] { [:] }

  func leave(partition id: String) throws(SinkError) {}
}
