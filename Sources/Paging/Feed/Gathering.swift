internal import Items

/// A new generation while what was held before is still shown.
struct Gathering: Sendable {
  var items = ItemSet()
  var pages = HeldPages()
  /// What the caller inserted meanwhile; the source may not know of it yet.
  private var inserted: Set<ItemID> = []
  private var moved: Set<ItemID> = []
  /// Those of both that were put at the end, wherever that will be.
  private var atEnd: Set<ItemID> = []

  /// The caller changed what is shown: so is what has come in. Where items were put is seen at last, as those beside them
  /// may still be missing.
  mutating func edit(_ edit: Edit, shown: ItemSet) {
    switch edit {
    case .insert(let new, let placement):
      change(.replace(new.filter { items.contains($0.id) }))
      inserted.formUnion(new.map(\.id))
      place(new.map(\.id).filter { !shown.contains($0) }, placement)
    case .move(let ids, let placement):
      moved.formUnion(ids)
      place(ids, placement)
    case .remove, .replace: change(edit)
    }
  }

  private mutating func place(_ ids: [ItemID], _ placement: Edit.Placement) {
    if placement == .end { atEnd.formUnion(ids) } else { atEnd.subtract(ids) }
  }

  /// Puts what the caller inserted and moved behind the item that it is shown behind.
  ///
  /// An inserted item that the source has by now is where the source has it. Where more is to come, what is shown beside
  /// none of the items that are in is left to the pages to come.
  mutating func complete(from shown: ItemSet, isWhole: Bool) {
    guard !inserted.isEmpty || !moved.isEmpty else { return }
    let old = shown.items()
    var run = Run()
    var last = Run()
    var isBeside = true
    for (index, item) in old.enumerated() {
      let isIn = items.contains(item.id)
      let isOwn = moved.contains(item.id) || (!isIn && inserted.contains(item.id))
      if isOwn, atEnd.contains(item.id) {
        last.items.append(item)
      } else if isOwn {
        isBeside = isBeside || isWhole || (index + 1 < old.count && items.contains(old[index + 1].id))
        if isBeside { run.items.append(item) }
      } else {
        if isIn { put(&run, next: item.id) }
        isBeside = isIn
      }
    }
    put(&run, next: nil)
    guard isWhole else { return }
    last.previous = items[items.count - 1]?.id
    put(&last, next: nil)
  }

  /// Items that stay together, and the one before them; nil is the start.
  private struct Run {
    var previous: ItemID?
    var items: [Item] = []
  }

  /// Puts a run in its place and begins the next one.
  private mutating func put(_ run: inout Run, next: ItemID?) {
    if !run.items.isEmpty {
      let placement = run.previous.map { Edit.Placement.after($0) } ?? .start
      change(.insert(run.items.filter { !items.contains($0.id) }, placement))
      change(.move(run.items.map(\.id), placement))
    }
    run = Run(previous: next)
  }

  private mutating func change(_ edit: Edit) { pages.follow(items.edit(edit).changes) }
}
