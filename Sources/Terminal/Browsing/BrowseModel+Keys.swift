internal import Items
public import Paging

extension BrowseModel {
  /// Takes a key; says what is wished for.
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
    if let failure = list.failure, failure.place == selected { return wish(.retry, "trying again") }
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
        return searchAgain(isForward: true, list, at: now)
      case .policy: return text.isEmpty ? [] : [.policy(text)]
      }
    case .control, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .wheel, .click, .unknown:
      break
    }
    return []
  }
}
