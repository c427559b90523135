import Paging

/// The part of a sink that writes; used on the sink's thread only.
protocol SinkWriter: AnyObject {
  /// Bytes written, as `SinkReport.bytes` counts them.
  var bytes: Int { get }

  /// Writes one delivery, or nothing of it that counts.
  func write(_ delivery: Delivery) throws(SinkError)

  /// Ends a group of deliveries: when it returns, others see what was written, and a kill does not undo it.
  func commit() throws(SinkError)

  /// Lets others see all that was written and will be, though more is to come: the first reading is complete.
  func publish() throws(SinkError)

  /// Completes the output and lets it go; where the ending is not `whole`, what was there before stays.
  func close(_ ending: SinkEnding) throws(SinkError)

  /// What became of the output, once it is closed.
  var remains: SinkRemains { get }
}
