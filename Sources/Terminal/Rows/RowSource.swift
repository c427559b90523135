public import Items
public import Listing

/// Items near what is seen, of which rows are made.
public struct RowSource: ElementSource {
  /// What a row is made of.
  public struct Recipe: Sendable {
    let bytes: Bytes
    /// Columns of the terminal.
    let columns: Int
  }

  /// There is one section, 0.
  public typealias Context = Int
  /// Rows are known by their items, which have ids.
  public typealias Model = ItemID
  /// What a worker is given.
  public typealias Factory = Recipe
  /// What it makes of that.
  public typealias Product = MeasuredRow

  let items: [Item]
  let columns: Int

  public func sectionCount() -> Int { 1 }
  public func itemCount(ofSection section: Int) -> Int { items.count }
  public func context(ofSection section: Int) -> Int { 0 }
  public func model(at path: ItemPath) -> ItemID? { nil }
  public func factory(at path: ItemPath) -> Recipe { Recipe(bytes: items[path.item].bytes, columns: columns) }

  /// Does a job; any thread may.
  @Sendable public static func row(of work: Job<RowSource>.Work) -> MeasuredRow {
    switch work {
    case .make(let recipe): MeasuredRow(recipe.bytes, columns: recipe.columns)
    case .adopt(_, let row): row
    }
  }
}
