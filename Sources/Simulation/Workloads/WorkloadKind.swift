/// The kinds of reader models.
public enum WorkloadKind: String, Sendable, CaseIterable {
  case fling
  case reader
  case skimmer
  case searcher
  case jumper
  case quitter
  case steady
  case trace

  /// One sentence about the reader.
  public var summary: String {
    switch self {
    case .fling: "flings through a feed and rests to look, now and then flings back"
    case .reader: "reads item by item, seldom going back to the one before"
    case .skimmer: "glides slowly and stops briefly"
    case .searcher: "flings past what is looked for, returns to it and studies it"
    case .jumper: "drags the scroll bar to anywhere, looks around, and jumps again"
    case .quitter: "flings as others do, and may leave after every look"
    case .steady: "scrolls at one speed without a rest"
    case .trace: "does what a recorded person did"
    }
  }

  /// Its parameters, with defaults.
  public var parameters: [WorkloadParameter] {
    switch self {
    case .fling: [.flings(40)] + WorkloadParameter.flinging
    case .quitter: [.quit] + WorkloadParameter.flinging
    case .reader: WorkloadParameter.reading
    case .skimmer: WorkloadParameter.skimming
    case .searcher: WorkloadParameter.searching + WorkloadParameter.flinging
    case .jumper: WorkloadParameter.jumping + WorkloadParameter.flinging
    case .steady: WorkloadParameter.steady
    case .trace: []
    }
  }
}
