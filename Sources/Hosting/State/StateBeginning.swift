import Paging

extension StateTables {
  /// What the output had of a reading that is begun.
  struct Beginning {
    var begun: BegunReading
    let stream: String
    let write: WriteMode
    /// Whether there was nothing before it.
    let isFirst: Bool
    let isIncremental: Bool
    /// Whether the command line said how to write.
    let wasAsked: Bool
    /// Whether the source is read again and again.
    let isRefreshing: Bool
    /// Whether the stream has several partitions.
    var isOneOfSeveral = false
    /// Whether items of earlier readings are there that are to stay.
    var comesBehind: Bool { write == .append || begun.bookmark != nil && isIncremental }
    /// Whether there may be items of an earlier reading.
    var hasItems = false
    /// Whether it was begun before, and no page of it is known.
    var isAgain = false
    /// The last row of a table of numbered items that counts; nil if its items have ids.
    var lastRow: Int64?
  }
}
