public import Items
public import Listing

/// Items near the viewport, from which rows are made.
public struct RowSource: ElementSource {
  /// What a row is made from.
  public struct Recipe: Sendable {
    let bytes: Bytes
    /// Columns of the terminal.
    let columns: Int
  }

  /// There is one section, 0.
  public typealias Context = Int
  /// Rows are identified by their items' ids.
  public typealias Model = ItemID
  /// The input of a worker.
  public typealias Factory = Recipe
  /// Its output.
  public typealias Product = MeasuredRow

  let items: [Item]
  let columns: Int

  public func sectionCount() -> Int { 1 }
  public func itemCount(ofSection section: Int) -> Int { items.count }
  public func context(ofSection section: Int) -> Int { 0 }
  public func model(at path: ItemPath) -> ItemID? { nil }
  public func factory(at path: ItemPath) -> Recipe { Recipe(bytes: items[path.item].bytes, columns: columns) }

  /// Runs a job, on any thread.
  @Sendable public static func row(of work: Job<RowSource>.Work) -> MeasuredRow {
    switch work {
    case .make(let recipe): MeasuredRow(recipe.bytes, columns: recipe.columns)
    case .adopt(_, let row): row
    }
  }
}
