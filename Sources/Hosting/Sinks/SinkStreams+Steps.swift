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
    switch delivery.stepEnd {
    case .over(let result):
      try state.end(step: step, result) { items, stream in try add(Delivery(stream: stream, items: items)) }
      if state.isAtPage { markExtents() }
    case .cut: cutSteps.append(step)
    case nil: break
    }
  }

  /// Writes what there is of steps that the run has not brought to their ends, behind all that counts.
  func writeCutSteps() throws(SinkError) {
    guard let state else { return }
    for step in cutSteps {
      try state.leave(step: step) { items, stream in try add(Delivery(stream: stream, items: items)) }
    }
  }
}
