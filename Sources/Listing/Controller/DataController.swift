import Items
public import Paging

/// Takes change sets from pending to visible, in order, with the expensive work apart (Texture 3).
///
/// `pending` is the newest data, in the caller's indices; `visible` is what the reader shows. A change set goes
/// through five steps: its elements are gathered from the source and become pending; when it is its turn, jobs
/// make what is new, side by side and in any order; when they are done and all earlier sets are too, the
/// reader is told; when it answers, the set is visible and its completions are called. Nothing is ever
/// reordered. The source is asked only while a set is submitted.
public struct DataController<Source: ElementSource>: Sendable {
  /// When elements are made.
  public enum Making: String, Sendable, CaseIterable {
    /// All of a set before it becomes visible.
    case everything
    /// When somebody asks with `prepare` or `make`.
    case onDemand
  }

  /// When elements are made.
  public let making: Making
  /// While the reader is busy, sets that are ready wait and are handed over together.
  public let coalesces: Bool
  /// Whether the reader waits for the work of a set.
  public var processingMode = ProcessingMode.standard
  /// Size of all there is, as the reader lays it out.
  public var contentSize = Extent.zero
  /// Size of what is seen.
  public var bounds = Extent.zero
  /// The newest data.
  public internal(set) var pending = ElementMap<Source>()
  /// What the reader shows.
  public internal(set) var visible = ElementMap<Source>()
  /// Everything was loaded at least once, and not cleared since.
  public internal(set) var isLoaded = false
  var entries: [Entry] = []
  /// How far each element is, as pending has it.
  var elements: [ElementID: ElementState<Source>] = [:]
  /// What the reader shows of elements that were made anew by sets that it does not show yet.
  var shownProducts: [ElementID: Source.Product] = [:]
  var jobs: [JobID: ElementID] = [:]
  var wishes: TurnQueue<ElementID>
  var waiters: [(token: Int, revision: Int)] = []
  var quietWaiters: [Int] = []
  var applying: Int?
  var counters = Counters()

  /// `batchSize` bounds how many jobs of `prepare` start in one turn.
  public init(making: Making = .everything, coalesces: Bool = true, batchSize: Int = 64) {
    self.making = making
    self.coalesces = coalesces
    wishes = TurnQueue(batchSize: batchSize)
  }

  /// Whether a set is on its way; no longer so in the completion of the last one.
  public var isProcessing: Bool { !entries.isEmpty }

  /// What was made for an element, if it is, as far as the reader shows it.
  public func product(of id: ElementID) -> Source.Product? { shownProducts[id] ?? elements[id]?.product }

  /// Items per section that an update begins with: those of pending, or the source's before the first load.
  public func oldCounts(from source: Source) throws -> [Int] {
    isLoaded ? pending.counts : try source.counts()
  }
}

extension DataController {
  /// Numbers that only grow.
  struct Counters: Sendable {
    var element = 0
    var section = 0
    var job = 0
    var revision = 0
  }

  /// A change set on its way.
  struct Entry: Sendable {
    enum Content: Sendable {
      case change(ElementChange<Source>)
      /// Measuring anew; nil stands for all that is made.
      case layout(Set<ElementID>?)
    }

    enum State: Sendable {
      case queued, working, ready
    }

    let revision: Int
    let content: Content
    var state = State.queued
    /// Elements whose jobs are not done.
    var awaited: Set<ElementID> = []
    /// What it made anew and that came out different.
    var remade: [ElementID: Source.Product] = [:]
    /// Elements to make, and those to bring to their new model.
    var fresh: [ElementID] = []
    var adopted: [Element<Source.Model>] = []
    var isSynchronous = false
    /// The last set that took away something which this one was to bring and which is lost: the reader is told
    /// of both together.
    var heldUntil = 0
    var completions: [Int] = []
  }
}
