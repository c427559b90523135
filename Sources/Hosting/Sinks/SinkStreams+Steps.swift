import Paging

/// Steps, whose items come to a text as they end.
extension SinkStreams {
  func begin(step key: String, _ parameters: String) throws(SinkError) -> BegunStep {
    guard let file = place.stateFile else { return BegunStep(id: 0) }
    return try noting { () throws(SinkError) in
      try openState(file, parameters: parameters).state.begin(step: key, parameters)
    }
  }

  /// What a step emits waits for its end.
  func write(_ delivery: Delivery, ofStep step: Int, _ state: TextState) throws(SinkError) {
    try state.setAside(delivery, ofStep: step)
    guard let result = delivery.stepResult else { return }
    try state.end(step: step, result) { items, stream in
      var part = Delivery(stream: stream, items: items)
      part.isNumbered = delivery.isNumbered
      try add(part)
    }
    if state.isAtPage { markExtents() }
  }
}
