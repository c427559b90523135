internal import Items
public import Listing
public import Paging

/// A list in a terminal as a value: keys, sizes and changed lists in; a viewport, wishes and a screen out.
///
/// It knows no terminal and no clock. Rows are places of the source; the first row of the screen names the columns, the
/// last one is the status line.
public struct BrowseModel: Sendable {
  public internal(set) var size: TerminalSize
  /// The first visible place.
  public internal(set) var top = 0
  /// The selected place.
  public internal(set) var selected = 0
  public internal(set) var mode = Mode.list
  public internal(set) var isPanelShown = false
  /// What the machine did, for the panel.
  public var journal = Journal()
  /// What the last key brought about; the next key takes it away.
  public internal(set) var message = ""
  public internal(set) var stalls = StallClock()
  public internal(set) var search: ListSearch?

  /// Rows that were measured, and are being.
  public var rowWindow = RowWindow()

  var meter = ScrollMeter()
  var layout = TableLayout()
  var lastSearch = ""
  /// Stays at the end while more comes.
  var followsEnd = false
  var slide = 0

  /// What is on the screen, and so what keys mean.
  public enum Mode: Sendable, Hashable {
    case list
    /// The selected item as a tree; scrolled so far.
    case item(ItemTree, top: Int)
    /// A line is typed.
    case prompt(Prompt, String)
    case help
  }

  /// What a line is typed for.
  public enum Prompt: Sendable, Hashable {
    case search, policy

    var text: String {
      switch self {
      case .search: "/"
      case .policy: "policy: "
      }
    }
  }

  public init(size: TerminalSize) { self.size = size }
}

extension BrowseModel {
  /// Rows of the list that fit on the screen, at least one.
  public var height: Int { max(1, size.rows - 2 - panelHeight) }

  var panelHeight: Int { isPanelShown ? min(14, max(0, (size.rows - 2) / 2)) : 0 }

  /// The places that are visible.
  public var visible: Range<Int> { top..<top + height }

  /// What the reader sees now, in places.
  public func viewport(at now: Instant) -> Viewport {
    Viewport(
      firstVisible: top, lastVisible: top + height - 1, length: Double(height),
      velocity: meter.velocity(at: now))
  }

  /// When something is to be shown though nothing happens: a speed that is over, or a wait that goes on.
  public func wakesAt(_ now: Instant) -> Instant? {
    let stall = stalls.isRunning ? now + .milliseconds(100) : nil
    return [meter.endsAt(now), stall].compactMap { $0 }.min()
  }

  /// Has the terminal's new size.
  public mutating func resize(_ size: TerminalSize, _ list: BrowsedList, at now: Instant) {
    self.size = size
    keepSelectedVisible()
    clamp(list, at: now)
  }

  /// The list has changed, or time has passed; says what follows.
  public mutating func update(_ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    follow(list)
    clamp(list, at: now)
    let commands = lookOn(list, at: now)
    if followsEnd { showEnd(list, at: now) }
    stalls.update(
      isMissing: list.isMissing(in: visible), hasItems: !list.items.isEmpty, at: now)
    return commands
  }

  /// Before the screen is drawn: gives what has to be done for its rows, and for those that come next.
  ///
  /// Without it, or where it is not carried out, drawing measures what it needs by itself.
  public mutating func prepareRows(_ list: BrowsedList) -> [DataEffect<RowSource>] {
    switch mode {
    case .item, .help: []
    case .list, .prompt: rowWindow.show(list, visible, columns: size.columns)
    }
  }

  /// What was seen has other places now.
  private mutating func follow(_ list: BrowsedList) {
    let distance = list.slide - slide
    guard distance != 0 else { return }
    slide = list.slide
    top = max(0, top + distance)
    selected = max(0, selected + distance)
  }
}
