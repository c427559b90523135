public import Items
public import Listing
public import Paging

/// A list in a terminal as a value: keys, sizes and lists in; a viewport, requests and a screen out.
///
/// It knows no terminal and no clock. Rows are places of the source; the first screen row has the column names, the
/// last one is the status line.
///
/// ```swift
/// let wishes = model.handle(.pageDown, list, at: now)
/// let screen = model.screen(list, status, at: now)
/// ```
public struct BrowseModel: Sendable {
  public private(set) var size: TerminalSize
  /// The first visible place.
  public private(set) var top = 0
  /// The selected place.
  public private(set) var selected = 0
  public private(set) var mode = Mode.list
  public private(set) var isPanelShown = false
  /// The machine's recent activity, for the panel.
  public var journal = Journal()
  /// The message of the last key; the next key clears it.
  public private(set) var message = ""
  public private(set) var stalls = StallClock()
  public private(set) var search: ListSearch?

  /// Measured rows, and those being measured.
  public var rowWindow = RowWindow()

  private(set) var meter = ScrollMeter()
  private(set) var layout = TableLayout()
  private var lastSearch = ""
  /// The row that was selected when the search began.
  private var searchedFrom = 0
  /// Whether it stays at the end as items arrive.
  private var followsEnd = false
  private var slide = 0

  /// What is on screen, which determines the meaning of keys.
  public enum Mode: Sendable, Hashable {
    case list
    /// The selected item as a tree, with its scroll position.
    case item(ItemTree, top: Int)
    /// A line is being typed.
    case prompt(Prompt, String)
    case help
  }

  /// The purpose of a typed line.
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

  /// List rows that fit on screen, at least one.
  public var height: Int { max(1, size.rows - 2 - panelHeight) }

  var panelHeight: Int { isPanelShown ? min(14, max(0, (size.rows - 2) / 2)) : 0 }

  /// The visible places.
  public var visible: Range<Int> { top..<top + height }

  /// What the reader sees now, in places.
  public func viewport(at now: Instant) -> Viewport {
    Viewport(
      firstVisible: top, lastVisible: top + height - 1, length: Double(height),
      velocity: meter.velocity(at: now))
  }

  /// When the screen changes without an event: a speed expires, or a wait goes on.
  public func wakesAt(_ now: Instant) -> Instant? {
    let stall = stalls.isRunning ? now + .milliseconds(100) : nil
    return [meter.endsAt(now), stall].compactMap { $0 }.min()
  }

  /// Handles a new terminal size.
  public mutating func resize(_ size: TerminalSize, _ list: BrowsedList, at now: Instant) {
    self.size = size
    keepSelectedVisible()
    clamp(list, at: now)
  }

  /// Handles a changed list or the passing of time; returns the requests.
  public mutating func update(_ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    follow(list)
    clamp(list, at: now)
    let commands = lookOn(list, at: now)
    if followsEnd { showEnd(list, at: now) }
    stalls.update(
      isMissing: list.isMissing(in: visible), hasItems: !list.items.isEmpty, at: now)
    return commands
  }

  /// Before drawing: returns the jobs for its rows, and for the next ones.
  ///
  /// Optional: drawing measures missing rows.
  public mutating func prepareRows(_ list: BrowsedList) -> [DataEffect<RowSource>] {
    switch mode {
    case .item, .help: []
    case .list, .prompt: rowWindow.show(list, visible, columns: size.columns)
    }
  }

  /// Keeps the visible items in view after places changed.
  private mutating func follow(_ list: BrowsedList) {
    let distance = list.slide - slide
    guard distance != 0 else { return }
    slide = list.slide
    top = max(0, top + distance)
    selected = max(0, selected + distance)
    searchedFrom = max(0, searchedFrom + distance)
  }

  /// Handles a key; returns the requests to the host.
  public mutating func handle(_ key: Key, _ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    message = ""
    if key == .control("c") { return [.quit] }
    if key == .control("z") { return [.suspend] }
    if key == .control("l") { return [.redraw] }
    switch mode {
    case .list: return listKey(key, list, at: now)
    case .item(let tree, let top): return treeKey(key, tree, top)
    case .prompt(let prompt, let text): return promptKey(key, prompt, text, list, at: now)
    case .help:
      mode = .list
      return []
    }
  }

  private mutating func listKey(_ key: Key, _ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    if search != nil {
      search = nil
      if key == .escape {
        message = "search stopped"
        return []
      }
    }
    if move(key, list, at: now) { return [] }
    switch key {
    case .enter: return open(list)
    case .character("/"): mode = .prompt(.search, "")
    case .character("n"): return searchAgain(isForward: true, list, at: now)
    case .character("N"): return searchAgain(isForward: false, list, at: now)
    case .character("r"): return [.refresh]
    case .character("R"): return wish(.retry, "trying again")
    case .character("t"): togglePanel(list, at: now)
    case .character("p"): return [.nextPolicy]
    case .character("P"): mode = .prompt(.policy, "")
    case .character("?"): mode = .help
    case .character("q"): return [.quit]
    case .character, .control, .escape, .backspace, .tab, .unknown, .up, .down, .left, .right, .pageUp,
      .pageDown,
      .home, .end, .wheel, .click:
      break
    }
    return []
  }

  /// Whether the key moved anything.
  private mutating func move(_ key: Key, _ list: BrowsedList, at now: Instant) -> Bool {
    switch key {
    case .up, .character("k"): select(selected - 1, list, at: now)
    case .down, .character("j"): select(selected + 1, list, at: now)
    case .pageDown, .character(" "), .control("f"): scroll(by: height, list, at: now)
    case .pageUp, .character("b"), .control("b"): scroll(by: -height, list, at: now)
    case .control("d"): scroll(by: max(1, height / 2), list, at: now)
    case .control("u"): scroll(by: -max(1, height / 2), list, at: now)
    case .wheel(let notches): scroll(by: 3 * notches, list, at: now)
    case .home, .character("g"):
      followsEnd = false
      jump(to: 0, list, at: now)
    case .end, .character("G"): showEnd(list, at: now)
    case .click(let row):
      if 1...height ~= row { select(top + row - 1, list, at: now) }
    case .character, .control, .left, .right, .enter, .escape, .backspace, .tab, .unknown: return false
    }
    return true
  }

  private mutating func open(_ list: BrowsedList) -> [BrowseWish] {
    if let item = list[selected] {
      mode = .item(ItemTree(ItemValue(item.bytes)), top: 0)
      return []
    }
    if let failure = list.failure, failure.place == selected || failure.retryAt == nil {
      return wish(.retry, "trying again")
    }
    message = "this item is not there yet"
    return []
  }

  private mutating func wish(_ command: BrowseWish, _ message: String) -> [BrowseWish] {
    self.message = message
    return [command]
  }

  private mutating func togglePanel(_ list: BrowsedList, at now: Instant) {
    isPanelShown.toggle()
    keepSelectedVisible()
    clamp(list, at: now)
  }

  private mutating func treeKey(_ key: Key, _ tree: ItemTree, _ top: Int) -> [BrowseWish] {
    var tree = tree
    let page = max(1, size.rows - 2)
    switch key {
    case .up, .character("k"), .wheel(-1): tree.move(by: -1)
    case .down, .character("j"), .wheel(1): tree.move(by: 1)
    case .pageDown, .character(" "): tree.move(by: page)
    case .pageUp, .character("b"): tree.move(by: -page)
    case .home, .character("g"): tree.move(by: -tree.lines.count)
    case .end, .character("G"): tree.move(by: tree.lines.count)
    case .enter: tree.toggle()
    case .left, .character("h"): tree.close()
    case .right, .character("l"): tree.open()
    case .escape, .backspace, .character("q"):
      mode = .list
      return []
    case .character, .control, .tab, .unknown, .wheel, .click: return []
    }
    mode = .item(tree, top: min(max(top, tree.selected - page + 1), tree.selected))
    return []
  }

  private mutating func promptKey(
    _ key: Key, _ prompt: Prompt, _ text: String, _ list: BrowsedList, at now: Instant
  ) -> [BrowseWish] {
    switch key {
    case .character(let character): mode = .prompt(prompt, text + String(character))
    case .backspace: mode = text.isEmpty ? .list : .prompt(prompt, String(text.dropLast()))
    case .control("u"): mode = .prompt(prompt, "")
    case .escape: mode = .list
    case .enter:
      mode = .list
      switch prompt {
      case .search:
        if !text.isEmpty { lastSearch = text }
        return startSearch(from: selected, isForward: true, list, at: now)
      case .policy: return text.isEmpty ? [] : [.policy(text)]
      }
    case .control, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .wheel, .click, .unknown:
      break
    }
    return []
  }

  /// Shows a message until the next key.
  public mutating func say(_ text: String) { message = text }

  /// Whether an open item lacks its details.
  public var lacksDetails: Bool {
    if case .item(let tree, _) = mode { !tree.hasDetails } else { false }
  }

  /// Shows the details of the open item below it.
  public mutating func show(details: Bytes) {
    guard case .item(var tree, let top) = mode else { return }
    tree.add(details: ItemValue(details))
    mode = .item(tree, top: top)
  }

  private mutating func searchAgain(isForward: Bool, _ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    startSearch(from: selected + (isForward ? 1 : -1), isForward: isForward, list, at: now)
  }

  private mutating func startSearch(
    from place: Int, isForward: Bool, _ list: BrowsedList, at now: Instant
  ) -> [BrowseWish] {
    guard !lastSearch.isEmpty else {
      message = "nothing to search for: type / and a text"
      return []
    }
    search = ListSearch(lastSearch, from: place, isForward: isForward)
    searchedFrom = selected
    return lookOn(list, at: now)
  }

  /// Continues a search: among the held items, and at their edge until more have arrived.
  private mutating func lookOn(_ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    guard var search else { return [] }
    let outcome = search.look(in: list)
    self.search = search
    switch outcome {
    case .found(let place):
      self.search = nil
      followsEnd = false
      jump(to: place, list, at: now)
    case .goesOn: return [.searchOn]
    case .waits:
      if list.failure != nil, list.failure?.retryAt == nil {
        self.search = nil
        message = "'\(search.text)' is not among the items that are there; a page could not be fetched"
      } else {
        jump(to: search.next, list, at: now)
      }
    case .over:
      self.search = nil
      jump(to: searchedFrom, list, at: now)
      message =
        search.isForward ? "no '\(search.text)' from here to the end" : "no '\(search.text)' before here"
    }
    return []
  }

  /// Selects another row; the screen follows it.
  private mutating func select(_ place: Int, _ list: BrowsedList, at now: Instant) {
    selected = max(0, min(lastRow(list), place))
    followsEnd = false
    keepSelectedVisible()
    clamp(list, at: now)
    meter.note(top, at: now)
  }

  /// Moves screen and selection together.
  private mutating func scroll(by distance: Int, _ list: BrowsedList, at now: Instant) {
    followsEnd = false
    let offset = selected - top
    let highest = max(0, rows(list) - height)
    let target = max(0, min(highest, top + distance))
    if target == top {
      // At the end of scrolling, the selection moves on to the very end.
      selected = max(0, min(lastRow(list), selected + distance))
    } else {
      top = target
      selected = min(lastRow(list), top + offset)
    }
    meter.note(top, at: now)
  }

  /// Jumps to a place; not a movement with a speed.
  private mutating func jump(to place: Int, _ list: BrowsedList, at now: Instant) {
    selected = max(0, min(lastRow(list), place))
    if !visible.contains(selected) {
      top = max(0, min(selected - height / 3, max(0, rows(list) - height)))
    }
    meter.reset(top, at: now)
  }

  /// Moves to the end of what is known, and follows it.
  private mutating func showEnd(_ list: BrowsedList, at now: Instant) {
    let isOnTheWay = followsEnd
    followsEnd = !list.isAtEnd
    // A list of unknown length has to be read page by page.
    if followsEnd, list.total == nil { message = "on the way to the end, page by page: any other key stops" }
    if isOnTheWay, !followsEnd { message = "" }
    let target = max(0, rows(list) - height)
    if target != top || selected != lastRow(list) {
      top = target
      selected = lastRow(list)
      meter.reset(top, at: now)
    }
  }

  private mutating func keepSelectedVisible() {
    if selected < top { top = selected }
    if selected >= top + height { top = selected - height + 1 }
  }

  /// Limits top and selection to existing rows.
  private mutating func clamp(_ list: BrowsedList, at now: Instant) {
    let highest = max(0, rows(list) - height)
    selected = max(0, min(lastRow(list), selected))
    if top > highest {
      top = highest
      meter.reset(top, at: now)
    }
    if selected < top || selected >= top + height {
      selected = max(top, min(lastRow(list), top + height - 1))
    }
  }

  /// Widens the columns for a drawn row.
  mutating func learn(_ row: MeasuredRow) { layout.learn(row) }

  /// Number of rows that exist or may exist.
  func rows(_ list: BrowsedList) -> Int { list.rowCount(beyond: height) }

  private func lastRow(_ list: BrowsedList) -> Int { max(0, rows(list) - 1) }
}
