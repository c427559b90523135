/// The course of one session, for a chart: seconds from its start, and items.
public struct SessionTimeline: Sendable, Equatable {
  public var setting: LabSetting
  public var session: Int
  /// Where the reader was, in order of time.
  public var viewport: [ViewportPoint] = []
  /// Items held, at each change.
  public var loaded: [LoadedPoint] = []
  /// In order of their start.
  public var fetches: [FetchBar] = []
  /// In order of time; the first is the start.
  public var stalls: [StallBar] = []
  /// Items seen by the end; pages behind them were wasted.
  public var seen = 0
  /// In seconds.
  public var duration = 0.0

  public init(setting: LabSetting, session: Int) {
    self.setting = setting
    self.session = session
  }

  /// Number of points and bars, to limit the memory of timelines.
  public var moments: Int { viewport.count + loaded.count + fetches.count + stalls.count }

  /// What is visible from that time on.
  public struct ViewportPoint: Sendable, Equatable {
    public var time: Double
    public var first: Int
    public var last: Int

    public init(time: Double, first: Int, last: Int) {
      self.time = time
      self.first = first
      self.last = last
    }
  }

  /// Items held from that time on.
  public struct LoadedPoint: Sendable, Equatable {
    public var time: Double
    public var items: Int

    public init(time: Double, items: Int) {
      self.time = time
      self.items = items
    }
  }

  /// A fetch from its start to its end.
  public struct FetchBar: Sendable, Equatable {
    public var start: Double
    public var end: Double
    /// The items that were asked for.
    public var items: Range<Int>
    public var outcome: Outcome
    /// The policy's reason.
    public var reason: String

    public init(start: Double, end: Double, items: Range<Int>, outcome: Outcome, reason: String) {
      self.start = start
      self.end = end
      self.items = items
      self.outcome = outcome
      self.reason = reason
    }

    /// How it ended; waste is known when the session is over.
    public enum Outcome: String, Sendable { case used, wasted, failed, cancelled, unfinished }
  }

  /// A wait of the reader.
  public struct StallBar: Sendable, Equatable {
    public var start: Double
    public var end: Double
    /// The item waited for.
    public var item: Int

    public init(start: Double, end: Double, item: Int) {
      self.start = start
      self.end = end
      self.item = item
    }
  }
}
