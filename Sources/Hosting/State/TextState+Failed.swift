/// What is in texts that a failed reading has brought, or steps that are done.
extension TextState {
  /// Whether steps that have ended have items in the files.
  var hasItemsOfSteps: Bool {
    get throws(SinkError) { try asked { database in try self.tables.hasItemsOfSteps(in: database) } }
  }

  /// Whether items of a reading that came to no good end are in a text that has to be written anew for them.
  var hasRests: Bool {
    get throws(SinkError) { try asked { database in try self.tables.hasRests(in: database) } }
  }

  /// Whether anything but a reading has brought items to its stream's file, or to the only one.
  func hasOthers(than reading: Int, inFileOf stream: String?) throws(SinkError) -> Bool {
    try asked { database in try self.tables.hasOthers(than: reading, inFileOf: stream, in: database) }
  }

  /// Readings of this run that came to no good end, where nothing but they brought items to a stream's file, or to the only one.
  func failed(inFileOf stream: String?) -> Set<Int> { brought.failed(inFileOf: stream) }

  /// What they brought is not there.
  func takeBack(_ readings: Set<Int>) throws(SinkError) {
    try access { database in
      for reading in readings {
        try database.execute(
          sql: "UPDATE _lookahead_readings SET items = 0 WHERE id = ?", arguments: [reading])
      }
    }
  }
}
