import Items
import Listing
import Lua

extension BatchOperation {
  /// Reads an operation by its name and its arguments, starting at `first`.
  init(_ name: String, at first: Int, on stack: LuaStack) throws {
    switch name {
    case "insertItems": self = .insertItems(try stack.itemPaths(at: first))
    case "deleteItems": self = .deleteItems(try stack.itemPaths(at: first))
    case "reloadItems": self = .reloadItems(try stack.itemPaths(at: first))
    case "insertSections": self = .insertSections(try stack.sections(at: first))
    case "deleteSections": self = .deleteSections(try stack.sections(at: first))
    case "reloadSections": self = .reloadSections(try stack.sections(at: first))
    case "moveItem":
      self = .moveItem(
        from: try stack.itemPath(at: first, "argument 1"), to: try stack.itemPath(at: first + 1, "argument 2")
      )
    case "moveSection":
      self = .moveSection(
        from: try stack.section(at: first, "argument 1"), to: try stack.section(at: first + 1, "argument 2"))
    default: self = .reloadData
    }
  }
}

extension LuaStack {
  /// A list of `{ section, item }`.
  func itemPaths(at index: Int) throws -> [ItemPath] {
    try list(at: index, "a list of places, { { section, item }, … }") {
      stack, number throws(CollectionFault) in try stack.itemPath(at: -1, "place \(number)")
    }
  }

  /// A list of sections.
  func sections(at index: Int) throws -> [Int] {
    try list(at: index, "a list of sections, { 1, … }") { stack, number throws(CollectionFault) in
      try stack.section(at: -1, "section \(number) of the list")
    }
  }

  private func list<Place>(
    at index: Int, _ expected: String, _ read: (LuaStack, Int) throws(CollectionFault) -> Place
  ) throws -> [Place] {
    guard isTable(at: index) else {
      throw CollectionFault(invalidIndex: "argument 1: expected \(expected), got \(shown(at: index))")
    }
    let count = length(of: index)
    var places: [Place] = []
    places.reserveCapacity(count)
    for number in 0..<count {
      pushElement(number + 1, of: index)
      defer { pop() }
      places.append(try read(self, number + 1))
    }
    return places
  }

  func itemPath(at index: Int, _ what: String) throws(CollectionFault) -> ItemPath {
    let table = absolute(index)
    guard isTable(at: table) else {
      throw CollectionFault(
        invalidIndex: "\(what): expected a place, { section, item }, got \(shown(at: table))")
    }
    pushElement(1, of: table)
    pushElement(2, of: table)
    defer { pop(2) }
    guard let section = place(at: -2), let item = place(at: -1) else {
      throw CollectionFault(
        invalidIndex: "\(what): expected { section, item }, two integers from 1 on, "
          + "got { \(shown(at: -2)), \(shown(at: -1)) }")
    }
    var entries = 0
    forEachPair(of: table) { _ in entries += 1 }
    guard entries == 2 else {
      throw CollectionFault(
        invalidIndex:
          "\(what): expected { section, item } and nothing else, got a table of \(entries) entries")
    }
    return ItemPath(section: section - 1, item: item - 1)
  }

  func section(at index: Int, _ what: String) throws(CollectionFault) -> Int {
    guard let section = place(at: index) else {
      throw CollectionFault(
        invalidIndex: "\(what): expected a section, an integer from 1 on, got \(shown(at: index))")
    }
    return section - 1
  }

  private func place(at index: Int) -> Int? {
    guard let position = integer(at: index), 1...Int64(Int32.max) ~= position else { return nil }
    return Int(position)
  }
}
