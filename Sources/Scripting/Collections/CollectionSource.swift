import Items
import Listing
import Lua
import Paging

/// The data of a script, queried while a change set is submitted; the values stay in Lua.
///
/// The script's functions must not wait.
struct CollectionSource: ElementSource {
  /// Items need no work: the value is the product.
  struct Nothing: Sendable, Equatable {}
  typealias Model = LuaReference
  /// The id of a section, if it has one.
  typealias Context = ItemID?
  typealias Factory = Nothing
  typealias Product = Nothing

  /// Where the values come from.
  enum Content {
    /// The prelude's functions, which query the script's data or functions.
    case asked(Functions)
    /// Values read earlier.
    case read([IdentifiedSection])
  }

  /// The functions, in the order the prelude passes them.
  struct Functions {
    var numberOfSections: LuaReference
    var numberOfItems: LuaReference
    var item: LuaReference
    /// Returns the id of a section, or nothing.
    var sectionID: LuaReference
  }

  /// More than a script can hold.
  static let countLimit: Int64 = 100_000_000

  let state: LuaState
  /// The called function, for messages.
  let title: String
  let content: Content

  func sectionCount() throws -> Int {
    switch content {
    case .read(let sections): sections.count
    case .asked(let functions): try count(functions.numberOfSections, "numberOfSections", [])
    }
  }

  func itemCount(ofSection section: Int) throws -> Int {
    switch content {
    case .read(let sections): sections[section].elements.count
    case .asked(let functions): try count(functions.numberOfItems, "numberOfItems", [section + 1])
    }
  }

  func context(ofSection section: Int) throws -> ItemID? {
    switch content {
    case .read(let sections): return sections[section].id
    case .asked(let functions):
      try ask(functions.sectionID, [section + 1])
      defer { state.stack.pop() }
      return state.stack.itemID(at: -1)
    }
  }

  func model(at path: ItemPath) throws -> LuaReference? {
    switch content {
    case .read(let sections): return sections[path.section].elements[path.item].value
    case .asked(let functions):
      try ask(functions.item, [path.section + 1, path.item + 1])
      guard !state.stack.isNil(at: -1) else {
        state.stack.pop()
        throw HostFunctionError.misuse(
          "\(title): item(\(path.section + 1), \(path.item + 1)): expected an item, got nothing "
            + "(numberOfItems counts it, so it has to be there)")
      }
      return state.stack.popReference(in: state)
    }
  }

  func factory(at path: ItemPath) -> Nothing { Nothing() }

  private func count(_ function: LuaReference, _ name: String, _ positions: [Int]) throws -> Int {
    try ask(function, positions)
    defer { state.stack.pop() }
    guard let count = state.stack.integer(at: -1), 0...Self.countLimit ~= count else {
      if state.stack.isTable(at: -1),
        let fault = state.stack.field("fault", of: -1, { $0.shownString(at: $1) })
      {
        throw HostFunctionError.misuse("\(title): \(fault)")
      }
      let call = positions.isEmpty ? name : "\(name)(\(positions[0]))"
      throw HostFunctionError.misuse(
        "\(title): \(call): expected an integer from 0 to a hundred million, got \(state.stack.shown(at: -1))"
      )
    }
    return Int(count)
  }

  /// Leaves the result on the state's stack.
  private func ask(_ function: LuaReference, _ positions: [Int]) throws(LuaError) {
    state.stack.push(function)
    for position in positions { state.stack.push(position) }
    try state.call(arguments: positions.count, results: 1)
  }
}
